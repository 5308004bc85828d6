import Testing

/// The results are those of PostgreSQL 15.
@Suite struct `a comparison` {
  @Test(arguments: [
    ("x = 1", "42883 operator does not exist: text = integer"),
    ("i = 'x'", #"22P02 invalid input syntax for type integer: "x""#),
    ("i = '7.5'", #"22P02 invalid input syntax for type integer: "7.5""#), ("i = 7.0", "true"), ("n = 1.5", "true"),
    ("r = 0.1", "false"), ("d = 0.1", "true"), ("1.0 = 1::float8", "true"), ("true = 't'", "true"),
    ("true > false", "true"), ("true = 1", "42883 operator does not exist: boolean = integer"),
    ("'ab' < 'B'", "false"), ("'a' < 'ä'", "true"), ("c = 'ab   '", "true"), ("c = v", "true"), ("c = x", "false"),
    ("u = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "true"), ("u = x", "42883 operator does not exist: uuid = text"),
    ("tz > ts", "false"), ("tz = dt", "false"), ("dt < ts", "true"), ("e = 'ok'", "true"),
    ("e = 'nope'", #"22P02 invalid input value for enum mood: "nope""#), ("e < 'happy day'", "true"),
    ("e = x", "42883 operator does not exist: mood = text"), ("j = j", "42883 operator does not exist: json = json"),
    (#"jb = '{"c": "x", "a": 1, "b": [1, 2, null]}'"#, "true"), (#"by = '\xdead'"#, "true"),
    ("ia = array[1,2,3]", "true"), ("ia = array[1,2.0,3]", "42883 operator does not exist: integer[] = numeric[]"),
    ("ia = '{1,2,3}'", "true"), ("ia < array[2]", "true"),
    ("ia = xa", "42883 operator does not exist: integer[] = text[]"), ("'NaN'::float8 = 'NaN'::float8", "true"),
    ("'NaN'::numeric > 1e30", "true"),
  ])
  func `of two values is PostgreSQL's`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("null = null", "null"), ("z = 'a'", "null"), ("zi > 1", "null"), ("not zb", "null"), ("zb and true", "null"),
    ("zb and false", "false"), ("zb or true", "true"), ("zb or false", "null"), ("zi between 1 and 2", "null"),
    ("zi in (1, 2)", "null"), ("i in (1, null)", "null"), ("i in (7, null)", "true"), ("i not in (1, null)", "null"),
    ("z like '%'", "null"),
  ])
  func `with null is unknown`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("zi is null", "true"), ("i is not null", "true"), ("zb is true", "false"), ("zb is not true", "true"),
    ("zb is unknown", "true"), ("b is false", "false"), ("b is not false", "true"),
    ("x is true", "42804 argument of IS TRUE must be type boolean, not type text"), ("zi is distinct from i", "true"),
    ("zi is distinct from null", "false"), ("zi is not distinct from null", "true"),
    ("null is distinct from j", "true"), ("i is not distinct from 7.0", "true"),
    ("i is distinct from x", "42883 operator does not exist: integer = text"),
  ])
  func `that tests for null is never unknown`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("i in (1, 7)", "true"), ("i in ('7', 3.0)", "true"),
    ("i in (1, 'x')", #"22P02 invalid input syntax for type integer: "x""#),
    ("x in (1, 2)", "42883 operator does not exist: text = integer"), ("'7' in (i, 2)", "true"),
    ("i in (l, zi, 7, 42)", "true"), ("e in ('ok', 'sad')", "true"),
    ("e in ('ok', 'nope')", #"22P02 invalid input value for enum mood: "nope""#), ("i between 1 and 10", "true"),
    ("i between '1' and 10.5", "true"), ("x between 'a' and 'b'", "true"),
    ("i between 'a' and 3", #"22P02 invalid input syntax for type integer: "a""#), ("i not between 1 and 10", "false"),
  ])
  func `with a list or range gives its values one type`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }
}
