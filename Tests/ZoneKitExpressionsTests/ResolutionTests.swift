import Testing

/// The results are those of PostgreSQL 15.
@Suite struct `an expression` {
  @Test(arguments: [
    ("nope", #"42703 column "nope" does not exist"#), ("t.nope", "42703 column t.nope does not exist"),
    ("z.x", #"42P01 missing FROM-clause entry for table "z""#), ("public.t.x", "abc"),
    ("foo(i)", "42883 function foo(integer) does not exist"),
    ("foo(1, 'a', x)", "42883 function foo(integer, unknown, text) does not exist"),
    ("lower(i)", "42883 function lower(integer) does not exist"), ("lower()", "42883 function lower() does not exist"),
    ("length(i, i)", "42883 function length(integer, integer) does not exist"),
    ("public.lower(x)", "42883 function public.lower(text) does not exist"), ("pg_catalog.lower(x)", "abc"),
    ("concat()", "42883 function concat() does not exist"),
    ("current_date = '2026-05-04'::nope", #"42704 type "nope" does not exist"#),
  ])
  func `that names nothing known is refused`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("i and b", "42804 argument of AND must be type boolean, not type integer"),
    ("not x", "42804 argument of NOT must be type boolean, not type text"),
    ("b or i", "42804 argument of OR must be type boolean, not type integer"),
    ("coalesce(i, x)", "42804 COALESCE types integer and text cannot be matched"),
    ("coalesce(i, b)", "42804 COALESCE types integer and boolean cannot be matched"),
    ("greatest(i, x)", "42804 GREATEST types integer and text cannot be matched"),
    ("'maybe' or true", #"22P02 invalid input syntax for type boolean: "maybe""#),
    ("i is true", "42804 argument of IS TRUE must be type boolean, not type integer"),
  ])
  func `of the wrong type is refused`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("coalesce(i, 'x')", #"22P02 invalid input syntax for type integer: "x""#), ("coalesce(zi, '5') + 1", "6"),
    ("coalesce(null, null, 'a')", "a"), ("nullif(i, 7.0)", "null"), ("nullif(i, 8.0)", "7"), ("nullif(x, '')", "abc"),
    ("nullif('a', 'b')", "a"), ("nullif(j, j)", "42883 operator does not exist: json = json"),
    ("greatest(1, 2.5)", "2.5"), ("greatest('a', 'b')", "b"), ("least(x, v)", "ab"), ("least(c, v) || '|'", "ab|"),
    ("greatest(zi, i)", "7"), ("greatest(null, null)", "null"),
    ("least(1, 'x')", #"22P02 invalid input syntax for type integer: "x""#), ("true and 'yes'", "true"),
    ("null and true", "null"), ("null or true", "true"), ("not null", "null"),
  ])
  func `with literals gets the type that PostgreSQL gives it`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }
}
