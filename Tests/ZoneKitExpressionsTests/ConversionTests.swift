import Testing

/// The results are those of PostgreSQL 15.
@Suite struct `a conversion` {
  @Test(arguments: [
    ("1.5::int", "2"), ("2.5::int", "3"), ("-2.5::int", "-3"), ("2.5::float8::int", "2"), ("3.5::float8::int", "4"),
    ("0.1::float8::numeric", "0.1"), ("0.1::real::numeric", "0.1"), ("0.1::real::float8", "0.10000000149011612"),
    ("1e15::float8::numeric", "1000000000000000"), ("123456789.123456789::float8::numeric", "123456789.123457"),
    ("1234567.891::real::numeric", "1234570"), ("1e-7::float8::numeric", "0.0000001"),
    ("99999.5::numeric(6,1)", "99999.5"), ("123.456::numeric(4,1)", "123.5"), ("'abcdef'::varchar(3)", "abc"),
    ("'abcdef'::char(3) || '|'", "abc|"), ("'a'::char(3) || '|'", "a|"), ("c::text || '|'", "ab|"),
    ("b::int + 1", "2"), ("0::boolean", "false"), ("ia::bigint[]", "{1,2,3}"), ("ia::text[]", "{1,2,3}"),
    ("'{1,2}'::bigint[]", "{1,2}"), ("array['1','2']::int[]", "{1,2}"), ("array[1,null]::text[]", "{1,NULL}"),
    ("'{abc}'::varchar(2)[]", "{ab}"), ("e::text", "ok"), ("'ok'::mood", "ok"), ("(jb ->> 'a')::int + 1", "2"),
    ("(jb -> 'a')::int", "1"), ("'true'::jsonb::bool", "true"), ("'1.5'::jsonb::int", "2"),
    ("j::jsonb", #"{"a": 1, "b": [1, 2]}"#), ("jb::text", #"{"a": 1, "b": [1, 2, null], "c": "x"}"#),
    ("ts::date", "2026-05-04"), ("ts::time", "07:08:09.123456"), ("tz::timestamp", "2024-02-29 23:30:00"),
    ("dt::timestamptz", "2026-05-04 00:00:00+00"), ("' 12 '::int", "12"),
    ("u::text", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), ("by::text", #"\xdead"#),
  ])
  func `gives PostgreSQL's value`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("99999.5::numeric(5)", "22003 numeric field overflow"), ("99999.5::numeric(5,1)", "22003 numeric field overflow"),
    (
      "1e400::float8",
      #"22003 "10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000" is out of range for type double precision"#
    ),
    ("'NaN'::numeric::int", "0A000 cannot convert NaN to integer"),
    ("'NaN'::float8::int", "22003 integer out of range"), ("1e20::float8::bigint", "22003 bigint out of range"),
    ("3000000000::int", "22003 integer out of range"), ("70000::smallint", "22003 smallint out of range"),
    ("i::uuid", "42846 cannot cast type integer to uuid"), ("u::integer", "42846 cannot cast type uuid to integer"),
    ("b::bigint", "42846 cannot cast type boolean to bigint"),
    ("l::boolean", "42846 cannot cast type bigint to boolean"),
    ("dt::time", "42846 cannot cast type date to time without time zone"),
    ("e::int", "42846 cannot cast type mood to integer"),
    ("x::int", #"22P02 invalid input syntax for type integer: "abc""#),
    ("x::mood", #"22P02 invalid input value for enum mood: "abc""#),
    ("'x'::mood", #"22P02 invalid input value for enum mood: "x""#),
    ("'2026-13-01'::date", #"22008 date/time field value out of range: "2026-13-01""#),
    ("'a'::int", #"22P02 invalid input syntax for type integer: "a""#),
    ("jb::int", "22023 cannot cast jsonb object to type integer"),
    (#"'"x"'::jsonb::int"#, "22023 cannot cast jsonb string to type integer"),
    ("xa::int[]", #"22P02 invalid input syntax for type integer: "a""#),
    ("c::int", #"22P02 invalid input syntax for type integer: "ab  ""#),
  ])
  func `that PostgreSQL refuses is refused`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }
}
