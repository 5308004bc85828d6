import Testing
import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelationServer
import ZoneKitRelations

@Suite struct `triggers of tables` {
  private static let base = """
    create table post (id int primary key, title text, slug text, likes int default 0, touched timestamptz);
    create table likes (id int primary key, post_id int references post on delete cascade);
    create table log (id bigserial primary key, what text);

    """

  private func trial(
    _ body: String, _ trigger: String, _ rows: String = "insert into post (id, title) values (1, 'A b')"
  )
    throws -> Trial
  {
    try Trial(
      Self.base + "create function f() returns trigger language plpgsql as $$\(body)$$;"
        + "create trigger t \(trigger) for each row execute function f();" + rows)
  }

  @Test func `set columns before a row is written`() throws {
    let body = "begin new.slug := lower(replace(new.title, ' ', '-')); return new; end"
    var trial = try trial(body, "before insert or update of title on post")
    #expect(trial.rows("post") == "1 A b a-b 0 null")
    #expect(trial.update("post", where: "id", is: "1", ["title": "C d"]) == "1 C d c-d 0 null")
    #expect(trial.update("post", where: "id", is: "1", ["slug": "x"]) == "1 C d x 0 null")
  }

  @Test func `leave a row out, or refuse the statement with their own message and code`() throws {
    let body = """
      begin
        if new.title is null then return null; end if;
        if new.title = 'bad' then raise exception 'no % for %', new.title, new.id using errcode = 'P0099'; end if;
        return new;
      end
      """
    var trial = try trial(body, "before insert on post")
    #expect(try trial.insert("insert into post (id) values (2)") == "")
    #expect(try trial.insert("insert into post (id, title) values (2, 'bad')") == "P0099 no bad for 2")
    #expect(trial.rows("post") == "1 A b null 0 null")
  }

  @Test func `count in other tables after a row is written or removed, also by a cascade`() throws {
    let body = """
      declare by int := 1;
      begin
        if tg_op = 'DELETE' then by := -1; end if;
        update post set likes = likes + by where id = coalesce(new.post_id, old.post_id);
        insert into log (what) values (tg_op || ' ' || tg_table_name);
        return null;
      end
      """
    var trial = try trial(body, "after insert or delete on likes")
    #expect(try trial.insert("insert into likes values (1, 1), (2, 1)") == "1 1\n2 1")
    #expect(trial.rows("post") == "1 A b null 2 null")
    #expect(trial.delete("likes", where: "id", is: "1") == "1 1")
    #expect(trial.rows("post") == "1 A b null 1 null")
    #expect(trial.delete("post", where: "id", is: "1") == "1 A b null 1 null")
    #expect(trial.rows("log") == "1 INSERT likes\n2 INSERT likes\n3 DELETE likes\n4 DELETE likes")
  }

  @Test func `wait for their condition`() throws {
    let body = "begin insert into log (what) values (new.title); return new; end"
    let text =
      Self.base + "create function f() returns trigger language plpgsql as $$\(body)$$;"
      + "create trigger t after update on post for each row when (old.title is distinct from new.title) "
      + "execute function f(); insert into post (id, title) values (1, 'a')"
    var trial = try Trial(text)
    _ = trial.update("post", where: "id", is: "1", ["likes": "5"])
    #expect(trial.rows("log") == "")
    _ = trial.update("post", where: "id", is: "1", ["title": "b"])
    #expect(trial.rows("log") == "1 b")
  }

  @Test func `read rows into variables, and what an insert returns`() throws {
    let body = """
      declare n int; last bigint;
      begin
        select count(*) into n from post where title = new.title;
        insert into log (what) values ('before: ' || n) returning id into last;
        new.likes := last;
        select p.slug into new.slug from post p where p.id = new.id - 1;
        return new;
      end
      """
    var trial = try trial(body, "before insert on post", "insert into post (id, title, slug) values (1, 'a', 'x')")
    #expect(trial.rows("post") == "1 a null 1 null")
    #expect(try trial.insert("insert into post (id, title) values (2, 'a')") == "2 a null 2 null")
    #expect(trial.rows("log") == "1 before: 0\n2 before: 1")
  }

  @Test func `that call each other without an end end with PostgreSQL's error`() throws {
    let body = "begin insert into log (what) values ('x'); return new; end"
    var trial = try trial(body, "after insert on log", "")
    #expect(try trial.insert("insert into log (what) values ('a')") == "54001 stack depth limit exceeded")
    #expect(trial.rows("log") == "")
  }

  @Test func `act with the rights of their owner if they are security definer, and of the writer otherwise`() throws {
    let start =
      Self.base + """
        alter table log enable row level security;
        grant all on post to authenticated;
        create function f() returns trigger language plpgsql
        """
    let end =
      " as $$begin insert into log (what) values (new.title); return new; end$$; "
      + "create trigger t after insert on post for each row execute function f();"
    var definer = try Trial(start + " security definer" + end)
    definer.role = "authenticated"
    #expect(try definer.insert("insert into post (id, title) values (1, 'a')") == "1 a null 0 null")
    var invoker = try Trial(start + end)
    invoker.role = "authenticated"
    #expect(
      try invoker.insert("insert into post (id, title) values (1, 'a')")
        == "42501 new row violates row-level security policy for table \"log\"")
  }
}

@Suite struct `functions in conditions` {
  private static let teams = """
    create table member (team int, who uuid, role text default 'reader');
    create table doc (id int primary key, team int, text text);
    alter table member enable row level security;
    alter table doc enable row level security;
    insert into member values (1, '00000000-0000-0000-0000-000000000001', 'owner');
    insert into member values (2, '00000000-0000-0000-0000-000000000001', 'reader');
    insert into doc values (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c');

    """

  private func seen(_ function: String, _ policy: String) throws -> String {
    var service = try Service(Self.teams + function + "create policy p on doc for select using (\(policy));")
    service.role = "authenticated"
    service.user = "00000000-0000-0000-0000-000000000001"
    return service.get("doc?select=id&order=id")
  }

  @Test func `in SQL read rows that the caller may not, if they are security definer`() throws {
    let body = "as $$ select exists (select 1 from member m where m.team = t and m.who = auth.uid()) $$;"
    let head = "create function is_member(t int) returns boolean language sql stable "
    #expect(try seen(head + "security definer " + body, "is_member(team)") == #"[{"id":1},{"id":2}]"#)
    #expect(try seen(head + body, "is_member(team)") == "[]")
  }

  @Test func `in PL/pgSQL choose, count and use their variables`() throws {
    let counting = """
      create function may(wanted text, t int default 1) returns boolean language plpgsql security definer as $$
      declare n int;
      begin
        if auth.uid() is null then return false; end if;
        select count(*) into n from member where member.role = may.wanted and team = t;
        return n > 0;
      end $$;
      """
    #expect(try seen(counting, "may('owner', team)") == #"[{"id":1}]"#)
    #expect(try seen(counting, "may('owner')") == #"[{"id":1},{"id":2},{"id":3}]"#)
    #expect(try seen(counting, "may('reader', team)") == #"[{"id":2}]"#)
  }

  @Test func `call functions that were made before them, by number and with CASE`() throws {
    let both = """
      create function my_role(int) returns text language sql security definer
        as $$ select role from member where team = $1 and who = auth.uid() limit 1 $$;
      create function may_write(t int) returns boolean language sql
        as $$ select case my_role(t) when 'owner' then true when 'reader' then false else null end $$;
      """
    #expect(try seen(both, "may_write(team)") == #"[{"id":1}]"#)
    #expect(try seen(both, "may_write(team) is not true") == #"[{"id":2},{"id":3}]"#)
  }

  @Test func `count rows without a function too`() throws {
    #expect(try seen("", "(select count(*) from doc d where d.id < doc.id) >= 0").hasPrefix("500 42P17"))
    let policy = "create policy all_of_it on member using (true);"
    #expect(try seen(policy, "(select count(*) from member m where m.team = doc.team) = 1") == #"[{"id":1},{"id":2}]"#)
    #expect(
      try seen(policy, "exists (select count(*) = 0 from member m where m.team = 9)")
        == #"[{"id":1},{"id":2},{"id":3}]"#)
  }
}

@Suite struct `a schema whose parts do not fit any more` {
  private func problem(_ text: String) throws -> String {
    let catalogue = try Catalogue(text: text)
    do throws(ExpressionProblem) {
      _ = try PreparedSchema(catalogue)
      return ""
    } catch {
      return error.failure.message
    }
  }

  @Test func `is refused with the part that does not fit`() throws {
    let tables = "create table t (id int); create table u (id int, n int); "
    let count = "create function c() returns bigint language sql as $$ select count(*) from u $$; drop table u"
    #expect(try problem(tables + count) == "the function c: relation \"u\" does not exist")
  }
}

@Suite struct `calls of functions` {
  private static let base = """
    create table counter (id int primary key, n int default 0);
    insert into counter values (1);
    create function add(a int, b int default 1) returns int language sql immutable as $$ select a + b $$;
    create function bump(counter_id int) returns int language plpgsql as $$
    declare result int;
    begin
      update counter set n = n + 1 where id = counter_id;
      select n into result from counter where id = counter_id;
      if result is null then raise exception 'no counter %', counter_id; end if;
      return result;
    end $$;
    create function clear() returns void language sql as $$ delete from counter $$;
    create function stamp() returns trigger language plpgsql as $$ begin return new; end $$;

    """

  @Test func `return their value, by name or by query, and nothing for void`() throws {
    var service = try Service(Self.base)
    #expect(service.answer("POST", "rpc/add", #"{"a":1,"b":2}"#) == "200 3")
    #expect(service.answer("GET", "rpc/add?a=5") == "200 6")
    #expect(service.answer("POST", "rpc/bump", #"{"counter_id":1}"#) == "200 1")
    #expect(service.answer("POST", "rpc/bump", #"{"counter_id":1}"#) == "200 2")
    #expect(service.changes.count == 1)
    #expect(service.answer("POST", "rpc/clear") == "204 ")
    #expect(service.get("counter") == "[]")
  }

  @Test func `that fail change nothing`() throws {
    var service = try Service(Self.base)
    #expect(service.answer("POST", "rpc/bump", #"{"counter_id":7}"#) == "400 P0001 | no counter 7")
    #expect(
      service.answer("GET", "rpc/bump?counter_id=1")
        == "405 25006 | cannot write rows in a read-only transaction")
    #expect(service.get("counter") == #"[{"id":1,"n":0}]"#)
    #expect(
      service.answer("POST", "rpc/add", #"{"a":"x"}"#) == "400 22P02 | invalid input syntax for type integer: \"x\"")
    #expect(service.answer("DELETE", "rpc/add") == "405 PGRST101 | Cannot use the DELETE method on RPC")
    #expect(
      service.answer("POST", "rpc/add", "[1]")
        == "400 PGRST102 | Empty or invalid json | expected one object with the arguments")
  }

  @Test func `that are not there, or have other parameters, are refused as PostgREST does`() throws {
    var service = try Service(Self.base)
    #expect(
      service.answer("POST", "rpc/ad", "{}")
        == "404 PGRST202 | Could not find the function public.ad in the schema cache | Searched for the function "
        + "public.ad without parameters, but no matches were found in the schema cache. | "
        + "Perhaps you meant to call the function public.add")
    #expect(
      service.answer("POST", "rpc/stamp").hasPrefix(
        "404 PGRST202 | Could not find the function public.stamp in the schema cache"))
    #expect(
      service.answer("POST", "rpc/add", #"{"a":1,"c":2}"#)
        == "404 PGRST202 | Could not find the function public.add(a, c) in the schema cache | Searched for the function "
        + "public.add with parameters a, c, but no matches were found in the schema cache.")
  }

  @Test func `get the fixed answers of a file, by their arguments`() throws {
    let answers = """
      {"functions": {
        "add": {"when": [{"with": {"a": 1}, "answer": 100}], "answer": {"sum": null}},
        "rows": {"answer": [{"id": 1}, {"id": 2}]}, "one": {"answer": [{"id": 1}]},
        "fail": {"error": {"code": "PT418", "message": "tea", "status": 418, "hint": "pot"}},
        "*": {}}}
      """
    let other = "create function other() returns int language plpgsql as $$ begin execute 'x'; end $$;"
    var service = try Service(Self.base + other, answers: answers)
    #expect(service.answer("POST", "rpc/add", #"{"a":1.0,"b":7}"#) == "200 100")
    #expect(service.answer("POST", "rpc/add", #"{"a":2}"#) == #"200 {"sum":null}"#)
    #expect(service.answer("POST", "rpc/rows") == #"200 [{"id":1},{"id":2}]"#)
    let single = ["Accept: application/vnd.pgrst.object+json"]
    #expect(service.answer("POST", "rpc/one", "", single) == #"200 {"id":1}"#)
    #expect(service.answer("POST", "rpc/rows", "", single).hasPrefix("406 PGRST116"))
    #expect(service.answer("POST", "rpc/fail") == "418 PT418 | tea | pot")
    #expect(
      service.answer("POST", "rpc/other")
        == "404 PGRST202 | The function public.other is not carried out, and has no fixed answer to this call | "
        + "Name an answer in the file of --functions")
    #expect(service.answer("POST", "rpc/clear") == "204 ")
  }

  @Test(
    arguments: [
      ("", "f.json:1:1: expected a value, found the end"),
      ("[]", "f.json: the file: expected an object, found an array"),
      (#"{"function": {}}"#, "f.json: function: expected one of functions; perhaps functions is meant"),
      (#"{"functions": {"a": 1}}"#, "f.json: functions.a: expected an object, found a number"),
      (
        #"{"functions": {"a": {"answr": 1}}}"#,
        "f.json: functions.a.answr: expected one of when, answer, error; perhaps answer is meant"
      ),
      (#"{"functions": {"a": {"answer": 1, "error": {}}}}"#, "f.json: functions.a: expected either answer or error"),
      (#"{"functions": {"a": {"error": {"message": "x"}}}}"#, "f.json: functions.a.error.code: expected a text"),
      (
        #"{"functions": {"a": {"when": [{"answer": 1}]}}}"#,
        "f.json: functions.a.when[0].with: expected the arguments"
      ),
      (
        #"{"functions": {"*": {"answer": 1}}}"#,
        "f.json: functions.*: expected {}, which refuses calls of every other function by name"
      ),
    ])
  func `from a file with a mistake are refused with its place`(text: String, problem: String) throws {
    #expect(throws: FunctionAnswers.Problem.self) { try FunctionAnswers(Array(text.utf8).span, file: "f.json") }
    do throws(FunctionAnswers.Problem) {
      _ = try FunctionAnswers(Array(text.utf8).span, file: "f.json")
    } catch {
      #expect(error.description == problem)
    }
  }
}
