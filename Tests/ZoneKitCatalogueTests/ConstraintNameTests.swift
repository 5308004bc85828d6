import Testing
import ZoneKitCatalogue

/// The names were read from PostgreSQL 15 for the same statements.
@Suite struct `names that nobody wrote` {
  private func names(_ text: String) throws -> [String] {
    guard let table = try Catalogues.table("t", of: text) else { return [] }
    return table.keys.map(\.name) + table.checks.map(\.name) + table.foreignKeys.map(\.name)
      + table.indexes.map(\.name)
  }

  @Test func `are made of the table, the columns and the kind`() throws {
    let text = """
      create table p (id int primary key);
      create table t (a int primary key, b int unique, c int references p, d int check (d > 0), check (a < b));
      create index on t (b, c); create index on t (lower('x'));
      """
    #expect(
      try names(text) == [
        "t_pkey", "t_b_key", "t_check", "t_d_check", "t_c_fkey", "t_b_c_idx", "t_lower_idx",
      ])
  }

  @Test func `are made of what an index computes`() throws {
    let text = """
      create table t (a text, b int);
      create index on t (lower(a), (b + 1), a, a); create index on t ((b::text)); create index on t (coalesce(a, 'x'));
      """
    #expect(try names(text) == ["t_lower_expr_a_a1_idx", "t_b_idx", "t_coalesce_idx"])
  }

  @Test func `are cut where they would be too long`() throws {
    let (long, wide) = (String(repeating: "l", count: 50), String(repeating: "w", count: 40))
    let text = "create table t (\(long) int unique, \(wide) int, check (\(long) > 0), unique (\(long), \(wide)));"
    #expect(
      try names(text) == [
        "t_\(long)_key", "t_\(long)_wwwwww_key", "t_\(long)_check",
      ])
  }

  @Test func `are none that somebody wrote`() throws {
    let text =
      "create table t (a int, constraint t_a_check check (a > 0), check (a > 1), constraint t_a_key unique (a), unique (a));"
    #expect(try names(text) == ["t_a_key", "t_a_key1", "t_a_check", "t_a_check1"])
  }

  @Test func `are counted where they would be the same`() throws {
    let text = """
      create table t (a int check (a > 0) check (a > 1), b int, check (a > b), check (a <> b), unique (a), unique (a));
      create index on t (a); create index on t (a);
      """
    #expect(
      try names(text) == [
        "t_a_key", "t_a_key1", "t_a_check", "t_a_check1", "t_check", "t_check1", "t_a_idx", "t_a_idx1",
      ])
  }
}
