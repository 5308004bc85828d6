import Testing

/// What PostgREST 12 and PostgreSQL 15 answer to the same requests.
@Suite struct `writes to tables of a schema` {
  private static let base = """
    create table team (id int primary key, name text not null unique, size int default 3 check (size > 0));
    create table person (
      id bigint generated always as identity primary key, team_id int references team on delete cascade,
      name varchar(5) not null, tags text[], data jsonb, made timestamptz default now());
    create table note (text text);
    insert into team (id, name) values (1, 'red'), (2, 'blue');
    insert into person (team_id, name) values (1, 'ann'), (1, 'ben'), (2, 'cleo');

    """
  private static let returning = ["Prefer: return=representation"]

  private func answer(
    _ method: String, _ target: String, _ body: String, _ preferences: String = "return=representation"
  ) throws -> String {
    var service = try Service(Self.base)
    return service.answer(method, target, body, ["Prefer: " + preferences])
  }

  @Test func `add rows with their defaults, from one object, a list or a table`() throws {
    #expect(try answer("POST", "team", #"{"id":3,"name":"green"}"#) == #"201 [{"id":3,"name":"green","size":3}]"#)
    #expect(
      try answer("POST", "team?select=name,person(name)", #"[{"id":3,"name":"a"},{"id":4,"name":"b"}]"#)
        == #"201 [{"name":"a","person":[]},{"name":"b","person":[]}]"#)
    #expect(
      try answer("POST", "person?select=id,tags,data", #"{"name":"dan","tags":["x","y z"],"data":{"a":[1.50,null]}}"#)
        == #"201 [{"id":4,"tags":["x","y z"],"data":{"a": [1.50, null]}}]"#)
    #expect(try answer("POST", "team", #"{"id":3,"name":"green"}"#, "return=minimal") == "201 ")
    var service = try Service(Self.base)
    #expect(
      service.answer(
        "POST", "person?select=name,team_id", "name,team_id\n\"d\"\"x\",1\ne,NULL",
        ["Prefer: return=representation", "Content-Type: text/csv"])
        == #"201 [{"name":"d\"x","team_id":1},{"name":"e","team_id":null}]"#)
  }

  @Test func `take a missing column of a list for null, or for its default if that is asked for`() throws {
    let rows = #"[{"id":3,"name":"a","size":1},{"id":4,"name":"b"}]"#
    let columns = "team?columns=id,name,size&select=size"
    #expect(try answer("POST", "team?select=size", rows) == "400 PGRST102 | All object keys must match")
    #expect(try answer("POST", columns, rows) == #"201 [{"size":1},{"size":null}]"#)
    #expect(
      try answer("POST", columns, rows, "return=representation,missing=default") == #"201 [{"size":1},{"size":3}]"#)
  }

  @Test func `merge rows by the key or by other unique columns, or leave them out`() throws {
    let merge = "return=representation,resolution=merge-duplicates"
    let ignore = "return=representation,resolution=ignore-duplicates"
    let rows = #"[{"id":1,"name":"rot"},{"id":3,"name":"green"}]"#
    #expect(
      try answer("POST", "team", rows, merge)
        == #"201 [{"id":1,"name":"rot","size":3},{"id":3,"name":"green","size":3}]"#)
    #expect(try answer("POST", "team", rows, ignore) == #"201 [{"id":3,"name":"green","size":3}]"#)
    #expect(try answer("POST", "team", #"{"id":1,"name":"rot"}"#, merge) == #"200 [{"id":1,"name":"rot","size":3}]"#)
    let moved = try answer("POST", "team?on_conflict=name", #"{"id":7,"name":"red"}"#, merge)
    #expect(
      moved
        == "409 23503 | update or delete on table \"team\" violates foreign key constraint \"person_team_id_fkey\" on "
        + "table \"person\" | Key (id)=(1) is still referenced from table \"person\".")
    #expect(
      try answer("POST", "team?on_conflict=size", #"{"id":7,"name":"x"}"#, merge)
        == "400 42P10 | there is no unique or exclusion constraint matching the ON CONFLICT specification")
    #expect(
      try answer("POST", "team", #"[{"id":1,"name":"a"},{"id":1,"name":"b"}]"#, merge)
        == "500 21000 | ON CONFLICT DO UPDATE command cannot affect row a second time | Ensure that no rows proposed for "
        + "insertion within the same command have duplicate constrained values.")
    #expect(try answer("POST", "note", #"{"text":"x"}"#, merge) == #"201 [{"text":"x"}]"#)
  }

  @Test func `change and remove the rows that are found`() throws {
    #expect(
      try answer("PATCH", "person?id=lt.3&select=id,name&order=id.desc", #"{"name":"new"}"#)
        == #"200 [{"id":2,"name":"new"},{"id":1,"name":"new"}]"#)
    #expect(try answer("PATCH", "person?id=eq.9", #"{"name":"new"}"#) == "200 []")
    #expect(try answer("PATCH", "person?id=eq.1", "{}") == "200 []")
    #expect(try answer("PATCH", "person?id=eq.1", #"{"name":"new"}"#, "return=minimal") == "204 ")
    #expect(
      try answer("DELETE", "team?id=eq.2&select=*,person(name)", "")
        == #"200 [{"id":2,"name":"blue","size":3,"person":[{"name":"cleo"}]}]"#)
    var service = try Service(Self.base)
    #expect(service.answer("DELETE", "team?id=eq.1", "") == "204 ")
    #expect(service.get("person?select=name") == #"[{"name":"cleo"}]"#)
    #expect(service.changes.isEmpty)
  }

  @Test func `need a condition for a change or a removal`() throws {
    #expect(try answer("PATCH", "person", #"{"name":"x"}"#) == "400 21000 | UPDATE requires a WHERE clause")
    #expect(try answer("DELETE", "person", "") == "400 21000 | DELETE requires a WHERE clause")
  }

  @Test(
    arguments: [
      (
        "POST", "team", #"{"name":"x"}"#,
        #"400 23502 | null value in column "id" of relation "team" violates not-null "#
          + "constraint | Failing row contains (null, x, 3)."
      ),
      (
        "POST", "team", #"{"id":1,"name":"x"}"#,
        #"409 23505 | duplicate key value violates unique constraint "team_pkey" | Key (id)=(1) already exists."#
      ),
      ("POST", "team", #"{"id":"x","name":"x"}"#, #"400 22P02 | invalid input syntax for type integer: "x""#),
      (
        "POST", "team", #"{"id":3,"nam":"x"}"#,
        "400 PGRST204 | Could not find the 'nam' column of 'team' in the schema cache"
      ),
      ("POST", "team", "[1]", "400 PGRST102 | Empty or invalid json | expected an object, found an integer"),
      ("POST", "person", #"{"name":"toolong"}"#, "400 22001 | value too long for type character varying(5)"),
      (
        "POST", "person", #"{"id":7,"name":"x"}"#,
        #"400 428C9 | cannot insert a non-DEFAULT value into column "id" | "#
          + #"Column "id" is an identity column defined as GENERATED ALWAYS. | Use OVERRIDING SYSTEM VALUE to override."#
      ),
      (
        "PATCH", "team?id=eq.1", #"{"size":0}"#,
        #"400 23514 | new row for relation "team" violates check constraint "#
          + #""team_size_check" | Failing row contains (1, red, 0)."#
      ),
      (
        "PATCH", "team?id=eq.1&limit=1", #"{"size":1}"#,
        "400 PGRST109 | A 'limit' was applied without an explicit 'order' | Apply an 'order' using unique column(s)"
      ),
      ("PUT", "team?id=eq.1", "{}", "405 PGRST117 | Unsupported HTTP method: PUT"),
    ])
  func `are refused in PostgreSQL's words`(method: String, target: String, body: String, refusal: String) throws {
    let answer = try answer(method, target, body)
    #expect(answer == refusal)
  }

  @Test func `change nothing if one row is refused, or if they are too many or not one`() throws {
    var service = try Service(Self.base)
    _ = service.answer("POST", "team", #"[{"id":3,"name":"x"},{"id":1,"name":"y"}]"#)
    let strict = ["Prefer: handling=strict,max-affected=1"]
    #expect(
      service.answer("DELETE", "person?id=gt.0", "", strict)
        == "400 PGRST124 | Query result exceeds max-affected preference constraint | The query affects 3 rows")
    #expect(
      service.answer("PATCH", "person?id=gt.0", #"{"name":"x"}"#, ["Accept: application/vnd.pgrst.object+json"])
        == "406 PGRST116 | Cannot coerce the result to a single JSON object | The result contains 3 rows")
    #expect(service.get("team?select=count") == #"[{"count":2}]"#)
    #expect(service.get("person?select=name&order=id") == #"[{"name":"ann"},{"name":"ben"},{"name":"cleo"}]"#)
  }

  @Test func `name the place of a new row, and what changed with it`() throws {
    var service = try Service(Self.base)
    let reply = service.reply("POST", "team", #"{"id":3,"name":"x y"}"#, ["Prefer: return=headers-only"])
    #expect(reply?.fields.first { $0.name == "Location" }?.value == "/team?id=eq.3")
    #expect(reply?.body == [])
    #expect(service.changes.map { "\($0.table) \($0.old == nil)" } == ["team true"])
    _ = service.reply("DELETE", "team?id=eq.1")
    #expect(service.changes.map { "\($0.table) \($0.new == nil)" } == ["team true", "person true", "person true"])
  }
}

/// Who may do what.
@Suite struct `requests of roles` {
  private static let notes = """
    create table note (id int primary key, owner uuid default auth.uid(), text text, secret text);
    create table line (id int primary key, note_id int references note on delete cascade, text text);
    alter table note enable row level security;
    alter table line enable row level security;
    create policy own on note to authenticated using (owner = (select auth.uid())) with check (owner = auth.uid());
    create policy own on line using (exists (select 1 from note where note.id = line.note_id));
    revoke select on note from authenticated;
    grant select (id, owner, text) on note to authenticated;
    create table log (id int primary key);
    revoke all on log from anon, authenticated;
    grant insert on log to authenticated;
    insert into note values (1, '00000000-0000-0000-0000-00000000000a', 'mine', 's'),
      (2, '00000000-0000-0000-0000-00000000000b', 'other', 's');
    insert into line values (1, 1, 'a'), (2, 2, 'b'), (3, 1, 'c');
    insert into log values (1);

    """
  private static let user = "00000000-0000-0000-0000-00000000000a"

  private func service(_ role: String = "authenticated") throws -> Service {
    var service = try Service(Self.notes)
    (service.role, service.user) = (role, role == "anon" ? nil : Self.user)
    return service
  }

  @Test func `see the rows that policies allow, also where they are related or counted`() throws {
    var service = try service()
    #expect(service.get("note?select=text") == #"[{"text":"mine"}]"#)
    #expect(service.get("line?select=text&order=id") == #"[{"text":"a"},{"text":"c"}]"#)
    #expect(service.get("note?select=id,line(text)") == #"[{"id":1,"line":[{"text":"a"},{"text":"c"}]}]"#)
    #expect(
      service.get("line?select=id,note!inner(text)&note.text=neq.x&id=gt.1") == #"[{"id":3,"note":{"text":"mine"}}]"#)
    #expect(service.get("note?select=count") == #"[{"count":1}]"#)
    #expect(service.get("note?id=eq.2&select=id") == "[]")
    #expect(try self.service("anon").answered("GET", "line?select=text") == "200 []")
    #expect(try self.service("service_role").answered("GET", "note?select=count") == #"200 [{"count":2}]"#)
  }

  @Test func `write the rows that policies allow`() throws {
    var service = try service()
    let returning = ["Prefer: return=representation"]
    #expect(
      service.answer("POST", "note?select=owner", #"{"id":3,"text":"x"}"#, returning)
        == #"201 [{"owner":"00000000-0000-0000-0000-00000000000a"}]"#)
    #expect(
      service.answer("POST", "note", #"{"id":4,"owner":"00000000-0000-0000-0000-00000000000b"}"#)
        == #"403 42501 | new row violates row-level security policy for table "note""#)
    #expect(service.answer("PATCH", "note?id=eq.2&select=id", #"{"text":"x"}"#, returning) == "200 []")
    #expect(service.answer("DELETE", "note?id=eq.2&select=id", "", returning) == "200 []")
    #expect(
      try self.service("anon").answered("POST", "line", #"{"id":9,"note_id":1}"#)
        == #"401 42501 | new row violates row-level security policy for table "line""#)
  }

  @Test func `need the privileges for tables and columns`() throws {
    var service = try service()
    #expect(service.get("note") == "403 42501 | permission denied for table note")
    #expect(service.get("note?select=id&secret=eq.s") == "403 42501 | permission denied for table note")
    #expect(service.get("note?select=id&order=secret") == "403 42501 | permission denied for table note")
    #expect(service.get("log") == "403 42501 | permission denied for table log")
    #expect(service.answer("POST", "log", #"{"id":2}"#) == "201 ")
    #expect(service.answer("DELETE", "log?id=eq.1") == "403 42501 | permission denied for table log")
    #expect(try self.service("anon").answered("GET", "log") == "401 42501 | permission denied for table log")
  }
}

extension Service {
  /// The answer of a service that is not used again.
  fileprivate func answered(_ method: String, _ target: String, _ body: String = "") -> String {
    var service = self
    return service.answer(method, target, body)
  }
}
