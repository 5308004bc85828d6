import Testing
import ZoneKitSQL
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `unsupported expressions` {
  @Test(
    arguments: [
      (
        "create policy p on t using (a #> b)",
        [
          "31: the operator “#>” is not supported: write -> and ->> for each member"
        ]
      ),
      (
        "create policy p on t using ((a, b) = (1, 2))",
        [
          "29: a row of values is not supported: compare the columns one by one",
          "38: a row of values is not supported: compare the columns one by one",
        ]
      ),
      ("create policy p on t using (sum(a) over () > 1)", ["29: a window function is not supported"]),
      (#"create policy p on t using (a collate "C" = b)"#, ["31: COLLATE is not supported: leave it out"]),
      (
        "create policy p on t using (a like 'x' escape 'y')",
        [
          "31: ESCAPE is not supported: write a backslash in front of the character"
        ]
      ),
      (
        "create policy p on t using (a similar to 'x')",
        [
          "31: SIMILAR TO is not supported: write LIKE, or ~ with a regular expression"
        ]
      ),
      (
        "create policy p on t using (a between symmetric 1 and 2)",
        [
          "31: BETWEEN SYMMETRIC is not supported: write the lower bound first, and BETWEEN"
        ]
      ),
      (
        "create policy p on t using (a in (select * from b))",
        [
          "29: a query for a value returns one column: name it"
        ]
      ),
      (
        "create policy p on t using (a in (select b, c from d))",
        [
          "29: a query for a value returns one column: name it"
        ]
      ),
      (
        "create policy p on t using (exists (select 1 from a right join b using (c)))",
        ["64: USING is not supported here: write ON with the two columns"]
      ),
      (
        "create policy p on t using (exists (select 1 from a natural join b))",
        ["44: NATURAL is not supported: write ON with the two columns"]
      ),
      (
        "create policy p on t using (exists (select a from b group by rollup (a)))",
        ["51: GROUPING SETS, CUBE and ROLLUP are not supported: write GROUP BY"]
      ),
      (
        "create policy p on t using (exists (with recursive x as (select 1) select 1 from x))",
        ["37: WITH RECURSIVE is not supported: write a function with a loop"]
      ),
      (
        "create policy p on t using (exists (with x as (delete from t) select 1 from x))",
        ["42: a statement that writes rows behind WITH is not supported: write it in front of the query"]
      ),
      ("create policy p on t using (a[1:2] = b)", ["29: a slice of an array is not supported: name one element"]),
      ("create policy p on t using ((a).b)", ["30: a part of a row is not supported: name the column"]),
      ("create policy p on t using (a = b'1')", ["33: a string of bits is not supported: write a text, or a number"]),
      (
        "create policy p on t using (f(x => 1))",
        [
          "31: an argument with a name is not supported: write only the value"
        ]
      ),
      ("create policy p on t using (a = $1)", ["33: there is no parameter $1"]),
      ("create policy p on t using (t.* is null)", ["29: * is not supported here: name the column"]),
      (
        "create policy p on t using (current_timestamp(3) > a)",
        [
          "29: CURRENT_TIMESTAMP with a precision is not supported: leave out the brackets"
        ]
      ),
      ("create policy p on t using (+a > 1)", ["29: the operator “+” in front of a value is not supported"]),
      (
        "create policy p on t using (a operator(pg_catalog.=) b)",
        [
          "31: the operator “pg_catalog.=” is not supported: the operators are = <> < <= > >= + - * / % || "
            + "LIKE NOT LIKE ILIKE NOT ILIKE ~ ~* !~ !~* -> ->> @> <@ && ? ?| ?& IS DISTINCT FROM IS NOT DISTINCT FROM"
        ]
      ),
      (
        "create policy p on t using (a::serial = 1)",
        [
          "32: a cast to a serial type is not supported: use an integer type"
        ]
      ),
      ("create policy p on t using (current_catalog = 'a')", ["29: CURRENT_CATALOG is not supported"]),
    ] as [(String, [String])])
  func `have problems that say where, what and what would be right`(text: String, problems: [String]) throws {
    let reading = try Samples.reading("begin;\n" + text)
    #expect(reading.problems.map(\.description) == problems.map { "schema.sql:2:\($0)" })
    #expect(reading.statements.map(\.statement) == [.transaction(.begin)])
  }
}
