import Testing
import ZoneKitCatalogue

/// What PostgreSQL 15 finds for the same views.
@Suite struct `views of a schema` {
  private static func view(_ query: String, _ more: String = "") -> String {
    ReadingTests.library + "create view v as \(query);\n" + more
  }

  @Test(
    arguments: [
      ("select id, title as name from book where read", #"[{"id":1,"name":"One"}]"#),
      (
        "select b.id, a.name, e.name as editor from book b join author a on a.id = b.author_id "
          + "left join author e on e.id = b.editor_id order by b.id desc",
        #"[{"id":3,"name":"Bo","editor":"Ann"},{"id":2,"name":"Ann","editor":null},{"id":1,"name":"Ann","editor":"Bo"}]"#
      ),
      (
        "select a.id, a.name, count(b.id), sum(b.price), avg(r.stars) as stars, max(b.title) from author a "
          + "left join book b on b.author_id = a.id left join review r on r.book_id = b.id group by a.id order by 1",
        #"[{"id":1,"name":"Ann","count":3,"sum":31.00,"stars":4.0000000000000000,"max":"Two"},"#
          + #"{"id":2,"name":"Bo","count":1,"sum":null,"stars":null,"max":"Three, or more"},"#
          + #"{"id":3,"name":"Cy","count":0,"sum":null,"stars":null,"max":null}]"#
      ),
      ("select count(*), min(price), bool_or(read) from book", #"[{"count":3,"min":9.50,"bool_or":true}]"#),
      (
        "select author_id % 2 as odd, string_agg(title, '; ' order by title desc) from book group by 1 having count(*) > 1",
        #"[{"odd":1,"string_agg":"Two; One"}]"#
      ),
      (
        "select author_id, count(*) filter (where price > 10) as dear, count(distinct read), array_agg(id order by id desc) "
          + "from book group by author_id order by author_id",
        #"[{"author_id":1,"dear":1,"count":2,"array_agg":[2,1]},{"author_id":2,"dear":0,"count":0,"array_agg":[3]}]"#
      ),
      (
        "with n as (select author_id, count(*) as c from book group by author_id) "
          + "select a.name, coalesce(n.c, 0) as books from author a left join n on n.author_id = a.id order by a.name",
        #"[{"name":"Ann","books":2},{"name":"Bo","books":1},{"name":"Cy","books":0}]"#
      ),
      (
        "select name from author union select word from tag order by name desc limit 3 offset 1",
        #"[{"name":"blue"},{"name":"Cy"},{"name":"Bo"}]"#
      ),
      (
        "select distinct on (author_id) author_id, title from book order by author_id, title desc",
        #"[{"author_id":1,"title":"Two"},{"author_id":2,"title":"Three, or more"}]"#
      ),
      (
        "select b.id, t.tag from book b, unnest(b.tags) as t(tag) order by 1, 2",
        #"[{"id":1,"tag":"a"},{"id":1,"tag":"b"},{"id":2,"tag":"b"}]"#
      ),
      (
        "select a.name, (select count(*) from book b where b.author_id = a.id) as n, "
          + "(select json_agg(x) from (select id, title from book b where b.editor_id = a.id) x) as edits from author a",
        #"[{"name":"Ann","n":2,"edits":[{"id":3,"title":"Three, or more"}]},"#
          + #"{"name":"Bo","n":1,"edits":[{"id":1,"title":"One"}]},{"name":"Cy","n":0,"edits":null}]"#
      ),
      (
        "select x.id, y.title from author x right join book y on y.editor_id = x.id order by y.id",
        #"[{"id":2,"title":"One"},{"id":null,"title":"Two"},{"id":1,"title":"Three, or more"}]"#
      ),
      (
        "select * from book_tag join tag using (word_id)",
        "42703"
      ),
    ])
  func `have the rows of their query`(query: String, body: String) throws {
    guard body.hasPrefix("[") else {
      #expect(throws: (any Error).self) { try Service(Self.view(query)) }
      return
    }
    var service = try Service(Self.view(query))
    #expect(service.get("v") == body)
  }

  @Test func `are filtered, ordered, cut and counted like tables`() throws {
    var service = try Service(Self.view("select author_id, count(*) as n from book group by author_id"))
    #expect(service.get("v?n=gt.1&select=author_id") == #"[{"author_id":1}]"#)
    #expect(service.get("v?order=n.asc&limit=1") == #"[{"author_id":2,"n":1}]"#)
    let reply = service.reply("HEAD", "v?select=n&limit=1", "", ["Prefer: count=exact"])
    #expect(reply?.fields.contains { $0.value == "0-0/2" } ?? false)
    #expect(service.answer("GET", "v?nope=eq.1") == "400 42703 | column v.nope does not exist")
  }

  @Test func `have the related rows of the tables that they read`() throws {
    var service = try Service(Self.view("select id as number, title, author_id as writer from book"))
    #expect(
      service.get("v?select=number,author(name),review(stars)&number=eq.1")
        == #"[{"number":1,"author":{"name":"Ann"},"review":[{"stars":5},{"stars":3}]}]"#)
    #expect(
      service.get("author?select=name,v(title)&id=eq.1") == #"[{"name":"Ann","v":[{"title":"One"},{"title":"Two"}]}]"#)
    #expect(service.get("review?select=id,v!inner(title)&v.title=eq.Two") == #"[{"id":3,"v":{"title":"Two"}}]"#)
  }

  @Test(arguments: [(false, #"[{"id":1,"n":2},{"id":2,"n":1}]"#), (true, #"[{"id":1,"n":2}]"#)])
  func `show the rows of their owner, or of who asks`(isInvoker: Bool, rows: String) throws {
    var service = try Service(
      """
      create table room (id int primary key, owner uuid);
      create table note (id int primary key, room_id int references room);
      alter table room enable row level security;
      create policy own on room for select using (owner = auth.uid());
      create view v \(isInvoker ? "with (security_invoker = on)" : "")
        as select r.id, count(n.id) as n from room r left join note n on n.room_id = r.id group by r.id order by r.id;
      insert into room values
        (1, '00000000-0000-0000-0000-00000000000a'), (2, '00000000-0000-0000-0000-00000000000b');
      insert into note values (1, 1), (2, 1), (3, 2);
      """)
    (service.role, service.user) = ("authenticated", "00000000-0000-0000-0000-00000000000a")
    #expect(service.get("v") == rows)
  }

  @Test func `hide the rows of a table behind an outer join by its policies, and not the other side's`() throws {
    var service = try Service(
      """
      create table a (id int primary key);
      create table b (id int primary key, a_id int);
      alter table b enable row level security;
      create view v with (security_invoker) as select a.id, b.id as b from a left join b on b.a_id = a.id;
      insert into a values (1); insert into b values (7, 1);
      """)
    service.role = "anon"
    #expect(service.get("v") == #"[{"id":1,"b":null}]"#)
  }

  @Test func `are read with the privileges of the view, and of its tables for who asks`() throws {
    let text = """
      create table a (id int primary key);
      create view v as select id from a;
      create view own with (security_invoker = true) as select id from a;
      revoke all on a from anon;
      """
    var service = try Service(text)
    service.role = "anon"
    #expect(service.get("v") == "[]")
    #expect(service.get("own") == "401 42501 | permission denied for table a")
  }

  @Test(
    arguments: [
      ("select id from author", "400 0A000 | cannot insert into view \"v\" | Rows of views are not written."),
      (
        "select count(*) from author",
        "500 55000 | cannot insert into view \"v\" | Views that return aggregate functions are not automatically updatable."
      ),
    ])
  func `are not written`(query: String, error: String) throws {
    var service = try Service(Self.view(query))
    #expect(service.answer("POST", "v", #"{"id":9}"#).hasPrefix(error))
    #expect(service.get("author?select=id").count == 28)
  }

  @Test func `that read each other too often are refused`() throws {
    var text = "create table a (id int); create view v0 as select id from a; "
    for number in 1...16 {
      text += "create view v\(number) as select x.id from v\(number - 1) x, v\(number - 1) y; "
    }
    #expect(try Catalogue.problems(of: text).first?.contains("have too many parts") ?? false)
    var query = "with q0 as (select 1 as id)"
    for number in 1...16 { query += ", q\(number) as (select x.id from q\(number - 1) x, q\(number - 1) y)" }
    let problems = try Catalogue.problems(of: "create view v as \(query) select * from q16")
    #expect(problems.first?.contains("has too many parts") ?? false)
  }

  @Test func `do not get the columns that their tables get later, and go with what they read`() throws {
    let text = "create table a (id int primary key, b int); create view v as select * from a; "
    var service = try Service(text + "alter table a add column c int; insert into a values (1, 2, 3);")
    #expect(service.get("v") == #"[{"id":1,"b":2}]"#)
    let column = try Catalogue.problems(of: text + "alter table a drop column b;")
    #expect(column.contains { $0.contains("column b of table a because other objects depend on it: view v") })
    let table = try Catalogue.problems(of: text + "drop table a;")
    #expect(table.contains { $0.contains("cannot drop table a because other objects depend on it: view v") })
    let cascade = try Catalogue(text: text + "drop table a cascade; create table v (id int);")
    #expect(cascade.tables[ObjectName("public", "v")]?.view == nil)
  }
}

private typealias ReadingTests = `reads of tables of a schema`
