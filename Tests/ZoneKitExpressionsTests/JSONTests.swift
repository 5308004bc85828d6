import Testing

/// The results are those of PostgreSQL 15.
@Suite struct `a JSON value` {
  @Test(arguments: [
    ("jb -> 'a'", "1"), ("jb -> 'a' = '1'", "true"), ("jb ->> 'c'", "x"), ("jb -> 'b' -> 0", "1"),
    ("jb -> 'b' -> -1", "null"), ("jb -> 'b' ->> 1", "2"), ("jb -> 'b' ->> 2", "null"), ("jb -> 'nope'", "null"),
    ("jb -> 0", "null"), ("'5'::jsonb -> 0", "5"), ("j -> 'b'", "[1,2]"), ("j ->> 'a'", "1"), ("j -> 'b' -> 1", "2"),
    ("jsonb_typeof(jb)", "object"), ("jsonb_typeof(jb -> 'a')", "number"), ("jsonb_typeof('null')", "null"),
    ("json_typeof(j)", "object"), ("jsonb_array_length(jb -> 'b')", "3"),
    ("jsonb_array_length(jb)", "22023 cannot get array length of a non-array"),
    ("jsonb_array_length('5')", "22023 cannot get array length of a scalar"),
    (#"jb || '{"a": 2, "z": 0}'"#, #"{"a": 2, "b": [1, 2, null], "c": "x", "z": 0}"#),
    (#"jsonb_set('{"a":[1,2],"b":{}}', '{a,5}', '9')"#, #"{"a": [1, 2, 9], "b": {}}"#),
    (#"jsonb_set('{"a":[1,2]}', '{a,-1}', '9')"#, #"{"a": [1, 9]}"#),
    (#"jsonb_set('{"a":1}', '{b}', '2', false)"#, #"{"a": 1}"#), (#"jsonb_set('{"a":1}', '{b,c}', '2')"#, #"{"a": 1}"#),
    (#"jsonb_set('{"a":1}', '{c}', '{"x":null}')"#, #"{"a": 1, "c": {"x": null}}"#),
    (#"jsonb_set('{"a":[1]}', '{a,-9}', '0')"#, #"{"a": [0, 1]}"#),
    ("jsonb_set('[1]', '{x}', '2')", #"22P02 path element at position 1 is not an integer: "x""#),
    ("jsonb_set('1', '{x}', '2')", "22023 cannot set path in scalar"), ("jsonb_set('[1]', '{0}', null)", "null"),
    ("'[1]'::jsonb || '2'::jsonb", "[1, 2]"), ("x ->> 'a'", "42883 operator does not exist: text ->> unknown"),
  ])
  func `is read as PostgreSQL does`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("jsonb_build_object('a', 1, 'b', null)", #"{"a": 1, "b": null}"#),
    ("jsonb_build_object('bb', 1, 'a', tz, 'a', ts)", #"{"a": "2026-05-04T07:08:09.123456", "bb": 1}"#),
    ("jsonb_build_object(1, e, true, u)", #"{"1": "ok", "true": "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"}"#),
    ("jsonb_build_object()", "{}"),
    ("jsonb_build_object('a')", "22023 argument list must have even number of elements"),
    ("jsonb_build_object(null, 1)", "22023 argument 1: key must not be null"),
    ("jsonb_build_object(ia, 1)", "22023 key value must be scalar, not array, composite, or json"),
    (
      "jsonb_build_array(1, 'a', null, dt, ia, jb)",
      #"[1, "a", null, "2026-05-04", [1, 2, 3], {"a": 1, "b": [1, 2, null], "c": "x"}]"#
    ),
    ("json_build_object('a', 1, 'b', array[1,2])", #"{"a" : 1, "b" : [1,2]}"#),
    ("json_build_array(1, 'a', null, j)", #"[1, "a", null, {"a":1, "b":[1,2]}]"#), ("to_jsonb(x)", #""abc""#),
    ("to_jsonb(ia)", "[1, 2, 3]"), ("to_jsonb(n)", "1.50"),
    ("to_jsonb('x')", "42804 could not determine polymorphic type because input has type unknown"),
  ])
  func `is built as PostgreSQL does`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }
}
