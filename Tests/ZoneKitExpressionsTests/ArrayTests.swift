import Testing

/// The results are those of PostgreSQL 15.
@Suite struct `an array` {
  @Test(arguments: [
    ("array[1, 2.5, null]", "{1,2.5,NULL}"), ("array[1, 'a']", #"22P02 invalid input syntax for type integer: "a""#),
    ("array[1, true]", "42804 ARRAY types integer and boolean cannot be matched"),
    ("array[]", "42P18 cannot determine type of empty array"), ("xa || 'z'", #"22P02 malformed array literal: "z""#),
    ("xa || '{z}'", #"{a,b,"c d",z}"#), ("xa || array['z']", #"{a,b,"c d",z}"#), ("ia || null", "{1,2,3}"),
    ("null || ia", "{1,2,3}"), ("ia || 4", "{1,2,3,4}"), ("4 || ia", "{4,1,2,3}"), ("ia || 4.5", "{1,2,3,4.5}"),
    ("ia || l", "{1,2,3,9000000000}"), ("ia || x", "42883 operator does not exist: integer[] || text"),
    ("ia || zi", "{1,2,3,NULL}"), ("ia[1] + ia[2]", "3"), ("ia[0]", "null"), ("ia[9]", "null"), ("xa[i]", "null"),
    ("xa[3]", "c d"), ("i[1]", "42804 cannot subscript type integer because it does not support subscripting"),
    ("xa['a']", #"22P02 invalid input syntax for type integer: "a""#),
    ("xa[x]", "42804 array subscript must have type integer"), ("ia[l]", "22003 integer out of range"),
    ("array_append(ia, 3)", "{1,2,3,3}"), ("array_append(null::int[], 3)", "{3}"),
    ("array_append(array['a'], 'b')", "{a,b}"), ("array_append(ia, null)", "{1,2,3,NULL}"),
    ("array_length(ia, 1)", "3"), ("array_length(ia, 2)", "null"), ("array_length('{}'::int[], 1)", "null"),
    ("cardinality('{}'::int[])", "0"), ("cardinality(x)", "42883 function cardinality(text) does not exist"),
    ("array_position(ia, 2)", "2"), ("array_position(ia, null)", "null"), ("array_position(ia, 2.0)", "2"),
    ("array_position(xa, 'c d')", "3"),
    ("array_position(ia, 'x')", #"22P02 invalid input syntax for type integer: "x""#),
    ("array_position(ia, 3, 2)", "3"),
  ])
  func `is built, joined and read as PostgreSQL does`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("2 = any(ia)", "true"), ("i = any(array[7, 42])", "true"), ("i = any('{7,42}')", "true"),
    ("i = any(x)", "42809 op ANY/ALL (array) requires array on right side"),
    ("i + any(ia) = 1", "42809 op ANY/ALL (array) requires operator to yield boolean"), ("i <> all(ia)", "true"),
    ("i = all('{}')", "true"), ("zi = any(ia)", "null"), ("zi = any('{}')", "false"),
    ("9 = any(array[1, null])", "null"), ("x = any(xa)", "false"),
    ("x = any(ia)", "42883 operator does not exist: text = integer"), ("2.0 = any(ia)", "true"),
    ("'b' = any(xa)", "true"),
  ])
  func `is compared element by element`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }
}
