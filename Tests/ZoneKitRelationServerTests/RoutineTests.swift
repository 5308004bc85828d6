import Testing
import ZoneKitCatalogue

/// What PostgreSQL 15 and PostgREST 12 do with the same functions.
@Suite struct `functions with loops, errors and rows` {
  private static let base = """
    create table item (id int primary key, name text unique, kind text default 'plain', price numeric(6,2));
    create table part (id int primary key, item_id int references item, n int);
    insert into item values (1, 'saw', 'tool', 9.5), (2, 'axe', 'tool', 12), (3, 'pea', 'food', 1);
    insert into part values (1, 1, 5), (2, 1, 6), (3, 2, 7);

    """

  private static func function(
    _ body: String, _ parameters: String = "", returns result: String = "text", _ options: String = "language plpgsql"
  ) -> String {
    base + "create function f(\(parameters)) returns \(result) \(options) as $$\(body)$$;"
  }

  private func answer(_ text: String, _ arguments: String = "{}", query: String = "") throws -> String {
    var service = try Service(text)
    return service.answer("POST", "rpc/f\(query)", arguments)
  }

  /// Bodies, and what a call is answered with.
  private static let bodies: [(String, String)] = [
    (
      """
      declare r record; t text := ''; begin for r in select name, price from item order by name loop t := t ||
      r.name || r.price || ' '; end loop; return t; end
      """,
      #"200 "axe12.00 pea1.00 saw9.50 ""#
    ),
    (
      """
      declare t text := ''; begin for i in reverse 5..1 by 2 loop continue when i = 3; t := t || i; end loop;
      return t; end
      """,
      #"200 "51""#
    ),
    (
      """
      declare n int := 0; begin while n < 100 loop n := n + 7; exit when n > 20; end loop; return n; end
      """,
      #"200 "21""#
    ),
    (
      """
      declare n int := 0; begin <<outer>> loop loop n := n + 1; exit outer when n = 3; end loop; end loop;
      return n; end
      """,
      #"200 "3""#
    ),
    (
      """
      declare x text; t text := ''; begin foreach x in array array['a','b'] loop t := x || t; end loop; return
      t; end
      """,
      #"200 "ba""#
    ),
    (
      """
      begin insert into item values (1, 'x'); return 'new'; exception when unique_violation then return
      sqlstate || ' ' || sqlerrm; end
      """,
      #"200 "23505 duplicate key value violates unique constraint \"item_pkey\"""#
    ),
    (
      """
      declare n int; begin begin delete from part; raise exception 'no %', 7 using errcode = 'P0077', detail =
      'd', hint = 'h'; exception when sqlstate 'P0077' or no_data_found then null; end; select count(*) into n
      from part; return n; end
      """,
      #"200 "3""#
    ),
    (
      """
      begin begin raise exception 'a'; exception when others then raise; end; end
      """,
      "400 P0001 | a"
    ),
    (
      """
      begin raise exception 'no %', 7 using errcode = 'check_violation', detail = 'd', hint = 'h'; end
      """,
      "400 23514 | no 7 | d | h"
    ),
    (
      """
      begin raise exception '%% of % %', null::text, 'b'; end
      """,
      "400 P0001 | % of <NULL> b"
    ),
    (
      """
      declare i item; begin select * into strict i from item where id = 9; return i.name; end
      """,
      "400 P0002 | query returned no rows"
    ),
    (
      """
      declare i item%rowtype; n item.name%type; begin select * into i from item where id = 2; n := i.name;
      return n; end
      """,
      #"200 "axe""#
    ),
    (
      """
      declare n int; begin update item set price = price + 1 where kind = 'tool'; get diagnostics n =
      row_count; if not found then return 'none'; end if; perform 1 from item where id = 77; return n || case
      when found then 'x' else 'y' end; end
      """,
      #"200 "2y""#
    ),
    (
      """
      declare t text; begin update item i set name = i.name || p.n from part p where p.item_id = i.id and p.n
      = 7 returning i.name into t; return t; end
      """,
      #"200 "axe7""#
    ),
    (
      """
      declare t text; begin insert into item (id, name) values (1, 'hoe') on conflict (id) do update set name
      = item.name || excluded.name where item.id = 1 returning name into t; return t; end
      """,
      #"200 "sawhoe""#
    ),
    (
      """
      begin case (select count(*) from item) when 1, 2 then return 'few'; when 3 then return 'three'; end
      case; end
      """,
      #"200 "three""#
    ),
    (
      """
      begin delete from gone; return 1; end
      """,
      #"404 42P01 | relation "gone" does not exist"#
    ),
    (
      """
      begin if false then delete from gone; end if; return 1; end
      """,
      #"200 "1""#
    ),
    (
      """
      begin loop null; end loop; end
      """,
      "500 57014 | canceling statement due to statement timeout"
    ),
    (
      """
      begin null; end
      """,
      "400 2F005 | control reached end of function without RETURN"
    ),
  ]

  @Test(arguments: bodies)
  func `do their steps`(body: String, answer expected: String) throws {
    #expect(try answer(Self.function(body)) == expected)
  }

  @Test(
    arguments: [
      ("", #"[{"id":1,"label":"saw!"},{"id":2,"label":"axe!"}]"#),
      ("?label=eq.axe!&select=label", #"[{"label":"axe!"}]"#),
      ("?order=id.desc&limit=1", #"[{"id":2,"label":"axe!"}]"#),
    ])
  func `return rows that are filtered, ordered and cut like those of a table`(query: String, rows: String) throws {
    let bodies = [
      "begin return query select i.id, i.name || '!' from item i where i.kind = p order by i.id; end",
      "declare r record; begin for r in select * from item where kind = p order by item.id loop "
        + "id := r.id; label := r.name || '!'; return next; end loop; end",
    ]
    for body in bodies {
      let text = Self.function(body, "p text", returns: "table (id int, label text)")
        .replacing("where kind = p", with: "where item.kind = p").replacing(
          "select * from item", with: "select item.* from item")
      #expect(try answer(text, #"{"p":"tool"}"#, query: query) == "200 " + rows)
    }
    let sql = Self.function(
      "select id, name || '!' from item where kind = $1 order by id", "p text", returns: "table (id int, label text)",
      "language sql stable")
    var service = try Service(sql)
    #expect(service.get("rpc/f?p=tool\(query.replacing("?", with: "&"))") == rows)
  }

  @Test func `return rows of a table with their related rows, one row, or values`() throws {
    let rows = Self.function(
      "select * from item where price > $1 order by id limit $2", "low numeric, most int default 5",
      returns: "setof item", "language sql")
    #expect(
      try answer(rows, #"{"low":5}"#, query: "?select=name,part(n)&part.n=gt.5")
        == #"200 [{"name":"saw","part":[{"n":6}]},{"name":"axe","part":[{"n":7}]}]"#)
    #expect(try answer(rows, #"{"low":5,"most":1}"#, query: "?select=id") == #"200 [{"id":1}]"#)
    let row = Self.function("select * from item where id = $1", "i int", returns: "item", "language sql")
    #expect(try answer(row, #"{"i":3}"#) == #"200 {"id":3,"name":"pea","kind":"food","price":1.00}"#)
    #expect(try answer(row, #"{"i":9}"#) == #"200 {"id":null,"name":null,"kind":null,"price":null}"#)
    let values = Self.function(
      "begin return query select name from item order by 1; return next 'z'; end", returns: "setof text")
    #expect(try answer(values) == #"200 ["axe","pea","saw","z"]"#)
    let added = Self.function(
      "insert into item (id, name) values (7, 'hat') returning *", returns: "setof item", "language sql")
    #expect(try answer(added, query: "?select=id,kind") == #"200 [{"id":7,"kind":"plain"}]"#)
  }

  @Test func `call other functions, which may call themselves`() throws {
    let text = """
      create function g(n int) returns int language plpgsql as $$
      declare m int;
      begin
        if n > 2 then return n; end if;
        insert into item (id, name) values (10 + n, 'n' || n);
        m := g(n + 1);
        return m;
      end $$;

      """
    let caller = Self.function("declare n int; begin perform g(2); select g(1) into n; return n; end")
    let expected =
      "409 23505 | duplicate key value violates unique constraint \"item_pkey\" | Key (id)=(12) already exists."
    #expect(try answer(Self.base + text + caller.dropFirst(Self.base.count)) == expected)
  }

  @Test func `whose rows are other than they say fail when they are called`() throws {
    let text = Self.function("begin return query select id, price from item; end", returns: "table (a int, b text)")
    #expect(
      try answer(text) == "400 42804 | structure of query does not match function result type | "
        + "Returned type numeric(6,2) does not match expected type text in column 2.")
    let name = Self.function("begin return query select id from item; end", returns: "table (id int)")
    #expect(
      try answer(name) == #"400 42702 | column reference "id" is ambiguous | "#
        + "It could refer to either a PL/pgSQL variable or a table column.")
  }

  @Test func `read the rows alone that their caller may, unless they are of their definer`() throws {
    let policy = "alter table item enable row level security; create policy p on item using (kind = 'food');"
    for (options, rows) in [("", #"[{"id":3}]"#), ("security definer", #"[{"id":1},{"id":2},{"id":3}]"#)] {
      var service = try Service(
        Self.function(
          "begin return query select * from item; end", returns: "setof item", "language plpgsql \(options)")
          + policy)
      service.role = "anon"
      #expect(service.answer("POST", "rpc/f?select=id") == "200 " + rows)
    }
  }

  @Test func `rows of a schema may be computed of rows before them`() throws {
    var service = try Service(
      Self.base + """
        insert into part (id, item_id, n) values (4, (select id from item where name = 'pea'), (select max(n) + 1 from part))
          on conflict (id) do update set n = part.n + excluded.n;
        """)
    #expect(service.get("part?select=item_id,n&id=eq.4") == #"[{"item_id":3,"n":8}]"#)
  }

  @Test func `with a part that is not served are left out where a fixed answer stands for every other function`() throws
  {
    let text =
      Self.function("begin return to_char(now(), 'YYYY'); end") + """
        create function t() returns trigger language plpgsql as $$ begin new.name := unknown(new.name); return new; end $$;
        create trigger t before insert on item for each row execute function t();
        """
    #expect(throws: (any Error).self) { try Service(text) }
    var service = try Service(text, answers: #"{"functions": {"*": {}}}"#)
    #expect(service.answer("POST", "rpc/f").hasPrefix("404 PGRST202 | The function public.f is not carried out"))
    #expect(service.answer("POST", "item", #"{"id":9,"name":"nut"}"#) == "201 ")
  }
}
