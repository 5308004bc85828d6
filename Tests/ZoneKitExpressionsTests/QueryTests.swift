import Testing

/// The results are those of PostgreSQL 15.
@Suite struct `a query` {
  @Test(arguments: [
    ("exists (select 1 from q where q.i = t.i)", "true"), ("exists (select * from q where i = 8)", "false"),
    ("exists (select 1)", "true"), ("exists (select 1 where false)", "false"),
    ("exists (select * from q a join q b on a.k = b.k where a.x = t.x)", "true"),
    ("exists (select 1 from q a, q b where a.i < b.i and b.k = 1)", "false"),
    ("exists (select 1 from q where exists (select 1 from q r where r.k = q.k and r.i = t.i))", "true"),
    ("(select k from q where k = 1)", "1"), ("(select k from q where k = 9)", "null"),
    ("(select k from q limit 1)", "1"), ("(select k from q limit 0)", "null"),
    ("(select k from q limit null)", "21000 more than one row returned by a subquery used as an expression"),
    ("(select x from q where q.i = t.i) || 'z'", "abcz"), ("(select 'a')", "a"), ("(select null)", "null"),
    ("i in (select i from q)", "true"), ("i not in (select i from q)", "false"),
    ("i not in (select k from q)", "true"), ("8 in (select i from q)", "null"), ("'7' in (select i from q)", "true"),
    ("i = any (select i from q)", "true"), ("i < all (select i from q)", "false"),
    ("i > all (select k from q where k > 5)", "true"), ("null in (select k from q where k > 5)", "false"),
    ("null in (select k from q)", "null"), ("x like any (select x from q)", "true"),
    ("array(select k from q)", "{1,2,3}"), ("array(select x from q where k > 5)", "{}"),
    ("cardinality(array(select k from q)) < i", "true"), ("i = 1 or i in (select i from q where b)", "true"),
  ])
  func `finds the values that PostgreSQL's finds`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("(select k from q)", "21000 more than one row returned by a subquery used as an expression"),
    ("exists (select * from q where nope = 7)", #"42703 column "nope" does not exist"#),
    ("exists (select * from nope)", #"42P01 relation "nope" does not exist"#),

    ("exists (select * from q where t.nope = 1)", "42703 column t.nope does not exist"),
    ("exists (select * from q, q)", #"42712 table name "q" specified more than once"#),
    ("exists (select * from q a, q b where k = 1)", #"42702 column reference "k" is ambiguous"#),
    ("exists (select * from q a join q b on a.k = c.k, q c)", #"42P01 missing FROM-clause entry for table "c""#),
    ("exists (select * from q a join q b on a.k)", "42804 argument of JOIN/ON must be type boolean, not type integer"),
    ("exists (select * from q where i)", "42804 argument of WHERE must be type boolean, not type integer"),
    ("exists (select *)", "42601 SELECT * with no tables specified is not valid"),
    ("(select k from q limit -1)", "2201W LIMIT must not be negative"),
    ("(select k from q limit 'x')", #"22P02 invalid input syntax for type bigint: "x""#),
    ("i in (select x from q)", "42883 operator does not exist: integer = text"),
    ("i in (select '7')", "42883 operator does not exist: integer = text"),

  ])
  func `that PostgreSQL refuses is refused`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }
}
