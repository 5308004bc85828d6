import Testing
import ZoneKitRecords
import ZoneKitSQL
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `statements of a schema` {
  @Test func `all have their problems, in the order of the text`() throws {
    let text = """
      create domain v as text;
      create table t (
        id uuid primary key,
        name citext check (name #> 'a'),
        price money
      );
      -- A comment, in ü.
      create table u (id uuid);  drop domain v;
      """
    let reading = try Samples.reading(text, name: "own.sql")
    #expect(
      reading.problems.map(\.description) == [
        "own.sql:1:1: create domain is not supported: write the type and its check at the column",
        "own.sql:4:8: the type citext is not supported: use text",
        "own.sql:4:27: the operator “#>” is not supported: write -> and ->> for each member",
        "own.sql:5:9: the type money is not supported: use numeric",
        "own.sql:8:28: there is nothing of this kind to drop: leave it out",
      ])
    #expect(reading.statements.map(\.statement.sql) == ["CREATE TABLE u (id uuid)"])
    let offset = try #require(reading.statements.first?.offset)
    #expect(SchemaText(name: "own.sql", text).place(of: offset).description == "8:1")
  }

  @Test func `begin behind blank space and comments`() throws {
    let reading = try Samples.reading("/* a /* b */ */ begin; -- c\n\n  commit")
    #expect(reading.statements.map(\.offset.bytes) == [16, 31])
  }

  @Test func `have columns in bytes and problems in characters`() throws {
    let text = "create table \"é\" (\"ü\" citext)"
    #expect(try Samples.problems(text) == ["schema.sql:1:23: the type citext is not supported: use text"])
  }

  @Test(
    arguments: [
      ("uuid", "uuid"), ("varchar(20)", "varchar(20)"), ("character varying", "varchar"), ("char", "char(1)"),
      ("character(3)", "char(3)"), ("bool", "boolean"), ("int2", "smallint"), ("int", "integer"), ("int8", "bigint"),
      ("serial8", "bigserial"), ("decimal(5)", "numeric(5)"), ("numeric(10,-2)", "numeric(10, -2)"),
      ("float(24)", "real"), ("float", "double precision"), ("timestamp with time zone", "timestamptz"),
      ("timestamp(3) without time zone", "timestamp(3)"), ("time", "time"), ("text array", "text[]"),
      ("int[]", "integer[]"), ("mood", "mood"), ("public.mood[]", "public.mood[]"), ("\"Mood\"", "\"Mood\""),
    ])
  func `know the types of columns by all their names`(written: String, normal: String) throws {
    let statement = try Samples.statement("create table t (a \(written))")
    #expect(statement?.sql == "CREATE TABLE t (a \(normal))")
  }

  @Test(
    arguments: [
      ("-1", "-1"), ("- 1", "-1"), ("-(1)", "-1"), ("-(-1)", "1"), ("- /* a */ (2)", "-2"), ("0", "0"), ("-0", "0"),
      ("2147483648", "2147483648"), ("-2147483648", "-2147483648"), ("-1.50", "-1.50"), ("7 - 1", "7 - 1"),
      ("7 - -1", "7 - (-1)"), ("(-1)::smallint", "(-1)::smallint"), ("-1::smallint", "- 1::smallint"),
    ])
  func `keep integers below zero, which the parser's tree leaves out`(written: String, normal: String) throws {
    #expect(try Samples.expression(written) == normal)
  }

  @Test(
    arguments: [
      ("a = 1 and b or not c", "((a = 1) AND b) OR (NOT c)"),
      (
        "(storage.foldername(name))[1] = (select auth.uid())::text",
        "((storage.foldername(name))[1]) = (SELECT auth.uid())::text"
      ),
      ("a not in ('b', 'c')", "a NOT IN ('b', 'c')"),
      ("a is not distinct from b", "a IS NOT DISTINCT FROM b"),
      ("a = any (array['b'])", "a = ANY (ARRAY['b'])"),
      ("a <> all ('{1}'::int[])", "a <> ALL ('{1}'::integer[])"),
      ("auth.jwt() -> 'a' ->> 'b' = 'c'", "((auth.jwt() -> 'a') ->> 'b') = 'c'"),
      ("cast(a as text) not ilike '%x'", "a::text NOT ILIKE '%x'"),
      ("a not in (select b from c)", "NOT (a IN (SELECT b FROM c))"),
      ("a > now() - interval '7 days'", "a > (now() - '7 days'::interval)"),
      ("COALESCE(t.\"A\", E'it\\'s')", "coalesce(t.\"A\", 'it''s')"),
    ])
  func `describe their expressions in one form`(written: String, normal: String) throws {
    #expect(try Samples.expression(written) == normal)
  }

  @Test func `have expressions up to the limit of their depth`() throws {
    let nested = String(repeating: "(not ", count: SchemaReader.depthLimit - 1) + "a"
    let brackets = String(repeating: ")", count: SchemaReader.depthLimit - 1)
    #expect(try Samples.problems("create policy p on t using (\(nested + brackets))") == [])
    let problems = try Samples.problems("create policy p on t using ((not \(nested + brackets)))")
    #expect(problems.count == 1)
    #expect(
      problems[0].hasSuffix("an expression of more than 64 levels is not supported: write a shorter one"))
  }

  @Test func `are read on a thread with a small stack, however deep they nest`() throws {
    let levels = [10, 50, 64, 65, 80, 100, 120, 1_000, 10_000]
    let results = LevelsRead()
    let thread = try SmallThread {
      for level in levels {
        for link in [" || 'a'", "::text", " is null = b", " and (a or b)"] {
          let text = "create policy p on t using ('a'" + String(repeating: link, count: level) + ")"
          if let reading = try? Samples.reading(text) { results.add(reading.statements.map(\.statement.sql)) }
        }
        let text = String(repeating: "(not ", count: level) + "a" + String(repeating: ")", count: level)
        if let reading = try? Samples.reading("create policy p on t using (\(text))") {
          results.add(reading.statements.map(\.statement.sql))
        }
      }
    }
    thread.join()
    #expect(results.count > 10)
  }
}

/// What a thread has read.
final class LevelsRead: @unchecked Sendable {
  private(set) var count = 0
  func add(_ statements: [String]) { count += 1 }
}
