import Testing
import ZoneKitCatalogue
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `other names for objects` {
  private static let base = """
    create type mood as enum ('glad', 'sad');
    create table a (id int primary key, n int check (n > 0), mood mood default 'sad', constraint u unique (n));
    create table b (id int primary key, a_id int references a (id), n int);
    create index i on a (n) where n > 1;
    create policy p on a using (n > 1 and a.id in (select a_id from b where b.n = a.n));
    create policy q on b using (exists (select 1 from a where a.n = b.n and mood = 'sad'));
    create view v as select a.id, n from a where n > 2;
    insert into a (id, n) values (1, 3) on conflict (id) do update set n = excluded.n;
    grant select (n) on a to anon;

    """

  private func catalogue(_ text: String) throws -> Catalogue {
    var builder = CatalogueBuilder()
    let reading = try Samples.reading(Self.base + text)
    let problems = reading.problems + builder.add(reading.statements, of: SchemaText(name: "a.sql", text))
    #expect(problems == [])
    return builder.catalogue
  }

  private func problems(_ text: String) throws -> [String] {
    var builder = CatalogueBuilder()
    let reading = try Samples.reading(Self.base + text)
    return (reading.problems + builder.add(reading.statements, of: SchemaText(name: "a.sql", text))).map(\.message)
  }

  private func table(_ catalogue: Catalogue, _ name: String) throws -> CatalogueTable {
    try #require(catalogue.tables[ObjectName("public", name)])
  }

  @Test func `of columns are followed by keys, conditions, indexes, policies, views, rows and privileges`() throws {
    let made = try catalogue("alter table a rename column n to m; alter table a rename id to key;")
    let a = try table(made, "a")
    #expect(a.columns.map(\.name) == ["key", "m", "mood"])
    #expect(a.primaryKey?.columns == ["key"])
    #expect(a.uniques.map(\.columns) == [["m"]])
    #expect(a.checks.map(\.condition.sql) == ["m > 0"])
    #expect(a.indexes.first?.parts.first?.value.sql == "m")
    #expect(a.indexes.first?.condition?.sql == "m > 1")
    #expect(a.policies.first?.using?.sql == "(m > 1) AND (a.key IN (SELECT a_id FROM b WHERE b.n = a.m))")
    let b = try table(made, "b")
    #expect(b.foreignKeys.first?.targetColumns == ["key"])
    #expect(b.policies.first?.using?.sql == "EXISTS (SELECT 1 FROM a WHERE (a.m = b.n) AND (mood = 'sad'))")
    let view = try table(made, "v")
    #expect(view.columns.map(\.name) == ["id", "n"])
    #expect(view.view?.query.sql == "SELECT a.key AS id, m AS n FROM a WHERE m > 2")
    #expect(made.seeds.first?.rows.columns == ["key", "m"])
    #expect(a.privileges.allows("select", to: "anon", column: "m"))
  }

  @Test func `of tables are followed by references, policies, views and rows`() throws {
    let made = try catalogue("alter table a rename to z; alter view v rename to w;")
    let z = try table(made, "z")
    #expect(z.policies.first?.using?.sql == "(n > 1) AND (z.id IN (SELECT a_id FROM b WHERE b.n = z.n))")
    let b = try table(made, "b")
    #expect(b.foreignKeys.first?.target == ObjectName("public", "z"))
    #expect(b.policies.first?.using?.sql.hasPrefix("EXISTS (SELECT 1 FROM z AS a WHERE (a.n = b.n)") ?? false)
    #expect(try table(made, "w").view?.query.sql == "SELECT a.id AS id, n AS n FROM z AS a WHERE n > 2")
    #expect(made.seeds.first?.table == ObjectName("public", "z"))
    #expect(made.tables[ObjectName("public", "a")] == nil)
    #expect(try catalogue("alter table a rename to z; create table a (id int);").tables.count == made.tables.count + 1)
  }

  @Test func `of types and their values are followed by columns, defaults and policies`() throws {
    let made = try catalogue("alter type mood rename value 'sad' to 'blue'; alter type mood rename to feeling;")
    let a = try table(made, "a")
    #expect(a.column("mood")?.type == .enumeration(DatumType.EnumType("feeling", ["glad", "blue"])))
    #expect(a.column("mood")?.defaultValue?.sql == "'blue'")
    #expect(try table(made, "b").policies.first?.using?.sql.contains("mood = 'blue'") ?? false)
  }

  @Test func `of constraints, indexes, policies, triggers and functions`() throws {
    let made = try catalogue(
      """
      alter table a rename constraint u to unique_n; alter index i rename to j; alter policy p on a rename to s;
      create function f() returns trigger language plpgsql as $$ begin return new; end $$;
      create trigger t before insert on a for each row execute function f();
      alter function f() rename to g; alter trigger t on a rename to t2;
      """)
    let a = try table(made, "a")
    #expect(a.uniques.map(\.name) == ["unique_n"])
    #expect(a.indexes.map(\.name) == ["j"])
    #expect(a.policies.map(\.name) == ["s"])
    #expect(a.triggers.map(\.name) == ["t2"])
    #expect(a.triggers.map(\.function) == [ObjectName("public", "g")])
  }

  @Test(
    arguments: [
      ("alter table a rename column x to y", "column \"x\" does not exist"),
      ("alter table a rename n to id", "column \"id\" of relation \"a\" already exists"),
      ("alter table a rename to b", "relation \"b\" already exists"),
      ("alter table c rename to d", "relation \"c\" does not exist"),
      ("alter table a rename constraint x to y", "constraint \"x\" for table \"a\" does not exist"),
      ("alter type mood rename value 'mad' to 'x'", "\"mad\" is not an existing enum label"),
      ("alter type mood rename value 'sad' to 'glad'", "enum label \"glad\" already exists"),
      ("alter index k rename to l", "relation \"k\" does not exist"),
      ("alter policy x on a rename to y", "policy \"x\" for table \"a\" does not exist"),
    ])
  func `that cannot be given are refused`(text: String, problem: String) throws {
    #expect(try problems(text) == [problem])
  }

  @Test func `of tables that may be missing are left out`() throws {
    #expect(try problems("alter table if exists c rename to d; alter table if exists c rename x to y;") == [])
  }
}
