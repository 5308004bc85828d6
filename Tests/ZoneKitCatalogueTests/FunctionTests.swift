import Testing
import ZoneKitCatalogue
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `functions and triggers of a catalogue` {
  private func problems(_ text: String, answers: [String: CatalogueBuilder.FixedAnswer] = [:]) throws -> [String] {
    var builder = CatalogueBuilder(answers: answers)
    let reading = try Samples.reading(text)
    return (reading.problems + builder.add(reading.statements, of: SchemaText(name: "a.sql", text))).map(\.message)
  }

  private static let rows = "create function f() returns int language plpgsql as $$ begin execute 'x'; end $$;"

  @Test func `that do what is not carried out are refused by name, unless a fixed answer stands for them`() throws {
    let refusal =
      "the function f is not supported: EXECUTE is not supported; "
      + "leave it out, or name a fixed answer for it in the file of --functions"
    #expect(try problems(Self.rows) == [refusal])
    #expect(try problems(Self.rows, answers: ["f": .init(nil)]) == [])
    let policy = Self.rows + "create table t (id int); create policy p on t using (f() > 0);"
    #expect(try problems(policy, answers: ["f": .init(nil)]).first?.hasPrefix("function f() does not exist") == true)
  }

  @Test func `of triggers are checked against the table`() throws {
    let table = "create table t (id int, at timestamptz);"
    func trigger(_ body: String) -> String {
      table + "create function f() returns trigger language plpgsql as $$begin \(body) return new; end$$;"
        + "create trigger g before update on t for each row execute function f();"
    }
    #expect(try problems(trigger("new.at = now();")) == [])
    #expect(
      try problems(trigger("new.when = now();")) == ["the trigger g calls f: record \"new\" has no field \"when\""])
    #expect(try problems(trigger("x := 1;")) == ["the trigger g calls f: \"x\" is not a known variable"])
    // What is not there is found when the step is done.
    #expect(try problems(trigger("insert into u values (1);")) == [])
    #expect(
      try problems(trigger("delete from auth.users;"))
        == ["the trigger g calls f: auth.users is a table of the server, which a function cannot change"])
    #expect(
      try problems(table + "create trigger g before update on t for each row execute function f();")
        == ["function f() does not exist"])
  }

  @Test func `of accounts can have triggers`() throws {
    let text = """
      create table profile (id uuid primary key references auth.users, name text);
      create function f() returns trigger language plpgsql security definer as $$
      begin insert into public.profile values (new.id, new.raw_user_meta_data->>'name'); return new; end $$;
      create trigger g after insert on auth.users for each row execute procedure f();
      """
    #expect(try problems(text) == [])
  }

  @Test func `that call themselves or call each other too often are refused`() throws {
    let itself =
      "create function f(a int) returns int language sql as $$ select f(a) $$;"
      + "create table t (id int check (f(id) > 0));"
    #expect(try problems(itself).first?.hasPrefix("function f(integer) does not exist") == true)
    var doubling = "create function f0(a int) returns int language sql as $$ select a + a $$;"
    for number in 1...20 {
      doubling +=
        "create function f\(number)(a int) returns int language sql as $$ select f\(number - 1)(f\(number - 1)(a)) $$;"
    }
    #expect(try problems(doubling + "create table t (id int check (f20(id) > 0));").count == 1)
  }
}

@Suite struct `statements of dumps and migrations` {
  private func catalogue(_ text: String) throws -> Catalogue {
    var builder = CatalogueBuilder()
    let reading = try Samples.reading(text)
    let problems = reading.problems + builder.add(reading.statements, of: SchemaText(name: "a.sql", text))
    #expect(problems == [])
    return builder.catalogue
  }

  private static let table = ObjectName("public", "t")

  @Test func `make a unique index the key`() throws {
    let text =
      "create table t (a int, b int); create unique index i on t (a); "
      + "alter table only t add constraint k primary key using index i"
    let table = try #require(try catalogue(text).tables[Self.table])
    #expect(table.primaryKey == KeyConstraint("k", ["a"]))
    #expect(table.indexes.isEmpty)
    #expect(table.columns[0].isNullable == false)
  }

  @Test func `number a column by a sequence`() throws {
    let text = """
      create table t (id integer not null);
      create sequence t_id_seq as integer start with 1 increment by 1 no minvalue no maxvalue cache 1;
      alter sequence t_id_seq owned by t.id;
      alter table only t alter column id set default nextval('public.t_id_seq'::regclass);
      """
    #expect(try catalogue(text).tables[Self.table]?.columns[0].identity == .serial)
  }

  @Test func `name the column that decides between versions in a comment`() throws {
    let table = "create table t (id int, at timestamptz, ok boolean); comment on table t is"
    #expect(try catalogue("\(table) 'Words. @zonekit arbiter at'").tables[Self.table]?.arbiter == "at")
    #expect(try catalogue("\(table) 'Words. @zonekit'").tables[Self.table]?.arbiter == nil)
    for (name, reason) in [
      ("when", #"@zonekit arbiter names the column "when", which t does not have"#),
      ("ok", #"@zonekit arbiter names "ok" of type boolean: a time or a number decides"#),
    ] {
      var builder = CatalogueBuilder()
      let text = "\(table) '@zonekit arbiter \(name)'"
      let problems = builder.add(try Samples.reading(text).statements, of: SchemaText(name: "a.sql", text))
      #expect(problems.map(\.message) == [reason])
    }
  }

  @Test func `give new tables privileges`() throws {
    let text = "alter default privileges in schema public revoke all on tables from anon; create table t (id int)"
    let privileges = try #require(try catalogue(text).tables[Self.table]?.privileges)
    #expect(!privileges.allows("select", to: "anon"))
    #expect(privileges.allows("select", to: "authenticated"))
  }

  @Test func `change a policy`() throws {
    let text =
      "create table t (id int); create policy p on t using (id > 1); "
      + "alter policy p on t to anon using (id > 2) with check (true)"
    let policy = try #require(try catalogue(text).tables[Self.table]?.policies.first)
    #expect(policy.roles == [.named("anon")])
    #expect(policy.using?.sql == "id > 2")
    #expect(policy.withCheck?.sql == "true")
  }

  @Test func `say nothing of a table that was refused already`() throws {
    var builder = CatalogueBuilder()
    let text = "create table t (id citext); create index on t (id); alter table t enable row level security"
    let problems = builder.add(try Samples.reading(text), of: SchemaText(name: "a.sql", text))
    #expect(problems.map(\.message) == ["the type citext is not supported: use text"])
  }

  @Test func `change the type of a column that has no rows`() throws {
    let text = "create table t (id int default 1); alter table t alter column id type bigint using id::bigint"
    #expect(try catalogue(text).tables[Self.table]?.columns[0].type == .bigint)
  }

  @Test func `are tried where an object may be there`() throws {
    let make = "create type mood as enum ('good')"
    let text =
      "\(make); do $$ begin \(make); exception when duplicate_object then null; end $$;"
      + "do $$ begin if not exists (select from pg_tables) then create table t (id int); end if; end $$;"
    #expect(try catalogue(text).tables[Self.table] != nil)
  }

  @Test func `that change rows have no effect where no rows are, and are refused otherwise`() throws {
    #expect(try catalogue("create table t (id int); update t set id = 1; delete from t").rewrites.count == 2)
    var builder = CatalogueBuilder()
    let text = "create table t (id int); insert into t values (1); update t set id = 2"
    let problems = builder.add(try Samples.reading(text).statements, of: SchemaText(name: "a.sql", text))
    #expect(
      problems.map(\.message) == ["rows that a schema inserts cannot be changed: insert them as they are to be"])
  }
}
