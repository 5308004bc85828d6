import Testing
import ZoneKitSQL
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `unsupported indexes, policies, rows and functions` {
  @Test(
    arguments: [
      (#"create index i on t (a collate "C")"#, ["19: a collation is not supported: leave it out"]),
      (
        "create publication other",
        [
          "1: the publication other is not supported: the one that is served is supabase_realtime"
        ]
      ),
      (
        "create publication supabase_realtime for table t where (a > 1)",
        [
          "48: a condition for a table of a publication is not supported: leave out WHERE"
        ]
      ),
      (
        "create publication supabase_realtime for tables in schema public",
        [
          "59: all tables of a schema are not supported in a publication: name the tables"
        ]
      ),
      (
        "create publication supabase_realtime for table t (a)",
        [
          "48: columns of a table of a publication are not supported: leave them out"
        ]
      ),
      (
        "create publication supabase_realtime with (publish = 'insert')",
        [
          "1: options in brackets are not supported: leave them out"
        ]
      ),
      (
        "drop publication other",
        [
          "1: the publication other is not supported: the one that is served is supabase_realtime"
        ]
      ),
      ("insert into t (a, b) values (1)", ["30: the columns are 2, the values 1: write one for each"]),
      (
        "insert into t (a) values (1) on conflict on constraint c do nothing",
        [
          "42: ON CONSTRAINT is not supported: name the columns"
        ]
      ),
      ("insert into t (a) values (1) returning a", ["1: RETURNING is not supported: nobody reads it; leave it out"]),
      ("insert into t default values", ["13: DEFAULT VALUES are not supported: write VALUES (DEFAULT)"]),
      (
        "create trigger g before update on t for each statement execute function f()",
        [
          "35: a trigger for statements is not supported: write FOR EACH ROW"
        ]
      ),
      ("grant a to b", ["1: grant of a role is not supported: the roles are anon, authenticated and service_role"]),
    ] as [(String, [String])])
  func `have problems that say where, what and what would be right`(text: String, problems: [String]) throws {
    let reading = try Samples.reading("begin;\n" + text)
    #expect(reading.problems.map(\.description) == problems.map { "schema.sql:2:\($0)" })
    #expect(reading.statements.map(\.statement) == [.transaction(.begin)])
  }
}
