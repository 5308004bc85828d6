import Testing

/// The results are those of PostgreSQL 15.
@Suite struct `a text` {
  @Test(arguments: [
    ("i || i", "42883 operator does not exist: integer || integer"), ("x || i", "abc7"), ("x || b", "abctrue"),
    ("x || e", "abcok"), ("x || zi", "null"), ("1 || 'a'", "1a"), ("'a' || 'b'", "ab"), ("'a' || 1.50", "a1.50"),
    ("x || n", "abc1.50"), ("x || u", "abca0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    ("x || ts", "abc2026-05-04 07:08:09.123456"), ("x || ia", "42883 operator does not exist: text || integer[]"),
    ("c || '|'", "ab|"), ("concat('a', null, 1, true, 1.50)", "a1t1.50"), ("concat(c, '|')", "ab  |"),
    ("concat_ws(',', 'a', null, 1, true)", "a,1,t"), ("concat_ws(null, 'a')", "null"), ("b || ''", "true"),
  ])
  func `is joined with values of many types`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("upper('straße')", "STRAßE"), ("lower('ÄÖÜ')", "äöü"), ("length('äöü')", "3"), ("length(c)", "2"),
    ("char_length(v)", "2"), ("octet_length('äöü')", "6"), ("octet_length(c)", "4"), ("length(by)", "2"),
    ("substring('hello' from 2 for 3)", "ell"), ("substring('hello' from 0 for 3)", "he"),
    ("substring('hello' from -1)", "hello"),
    ("substring('hello', 2, -1)", "22011 negative substring length not allowed"), ("substr('äöü', 2)", "öü"),
    ("left('hello', -2)", "hel"), ("right('hello', -2)", "llo"), ("left('äöü', 2)", "äö"),
    ("right('hello', 9)", "hello"), ("left(i, 2)", "42883 function left(integer, integer) does not exist"),
    ("lpad('7', 3, '0')", "007"), ("lpad('hello', 2)", "he"), ("rpad('ab', 7, 'xyz')", "abxyzxy"),
    ("rpad('a', 3)", "a  "),
    ("lpad('a', -1, 'b')", ""), ("lpad('a', 4, '')", "a"), ("repeat('ab', 3)", "ababab"), ("repeat('a', 0)", ""),
    ("reverse('äbc')", "cbä"), ("md5('')", "d41d8cd98f00b204e9800998ecf8427e"),
    ("md5('The quick brown fox jumps over the lazy dog')", "9e107d9d372bb6826bd81d3542a419d6"),
    ("md5(repeat('a', 119))", "8a7bd0732ed6a28ce75f6dabc90e1613"), ("random() between 0 and 1", "true"),
    ("position('l' in 'hello')", "3"), ("position('' in 'hello')", "1"), ("position('z' in 'hello')", "0"),
    ("strpos('äöü', 'ü')", "3"), ("replace('aaa', 'aa', 'b')", "ba"), ("replace('abc', '', 'x')", "abc"),
    ("split_part('a/b/c', '/', -1)", "c"), ("split_part('a/b/c', '', 1)", "a/b/c"), ("split_part('a/b/c', '', 2)", ""),
    ("split_part('', '/', 1)", ""), ("split_part('a', '/', 0)", "22023 field position must not be zero"),
    ("btrim('xxaxx', 'x')", "a"), ("trim('  a  ')", "a"), ("trim(both 'x' from 'xax')", "a"),
    ("trim(leading from '  a')", "a"), ("ltrim('  a  ')", "a  "), ("rtrim('a  ') || '|'", "a|"),
  ])
  func `is cut and searched in characters`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("x like 'a%'", "true"), ("x like 'A%'", "false"), ("x ilike 'A_C'", "true"), ("x not like '%z%'", "true"),
    (#"'a%b' like 'a\%b'"#, "true"), (#"'axb' like 'a\%b'"#, "false"), ("'' like '%'", "true"),
    ("'ÄB' ilike 'äb'", "true"), ("c like 'ab'", "false"), ("c like 'ab  '", "true"),
    (#"x like '\'"#, "22025 LIKE pattern must not end with escape character"),
    (#"x like 'ab\'"#, "22025 LIKE pattern must not end with escape character"),
    (#"x like '%\'"#, "22025 LIKE pattern must not end with escape character"),
    ("i like 'a'", "42883 operator does not exist: integer ~~ unknown"),
    ("x like i", "42883 operator does not exist: text ~~ integer"), ("x like any (array['z', 'a%'])", "true"),
    ("x not like all (array['z', 'y%'])", "true"), ("'aaaa' like '%a%a%'", "true"), ("'ab' like '_'", "false"),
    ("'é' like '_'", "true"),
  ])
  func `fits a pattern of LIKE`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("x ~ '^a.c$'", "true"), ("x ~* 'ABC'", "true"), ("x !~ 'z'", "true"), ("x !~* 'B'", "false"),
    ("i ~ '1'", "42883 operator does not exist: integer ~ unknown"), (#"'a.b' ~ 'a\.b'"#, "true"),
    (#"'foo bar' ~ '\mbar'"#, "true"), (#"'foobar' ~ '\mbar'"#, "false"), (#"'a-b' ~ '^[a\-]+b$'"#, "true"),
    ("'a]b' ~ '^[]a]+b$'", "true"), ("'x' ~ '[^x]'", "false"), ("'aaa' ~ '^a{2}$'", "false"),
    ("'aaa' ~ '^a{2,}$'", "true"), ("'aaa' ~ '^a{4,}$'", "false"), ("'' ~ ''", "true"), ("'a' ~ '|'", "true"),
    ("'a{b' ~ 'a{b'", "true"), ("'a' ~ '(|b)a'", "true"), ("'é' ~ '^[[:alpha:]]$'", "true"),
    (#"'a1_' ~ '^\w+$'"#, "true"), (#"'a b' ~ '\s'"#, "true"), ("'abab' ~ '^(?:ab){2}$'", "true"),
    (#"'x@example.com' ~* '^[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}$'"#, "true"),
    ("'#a1b2c3' ~ '^#[0-9a-fA-F]{6}$'", "true"),
    ("'a' ~ 'a**'", "2201B invalid regular expression: quantifier operand invalid"),
    ("'a' ~ '(a'", "2201B invalid regular expression: parentheses () not balanced"),
    ("'a' ~ '[a'", "2201B invalid regular expression: brackets [] not balanced"),
    ("'a' ~ '*a'", "2201B invalid regular expression: quantifier operand invalid"),
    ("'a' ~ 'a{2,1}'", "2201B invalid regular expression: invalid repetition count(s)"),
  ])
  func `fits a regular expression`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }
}
