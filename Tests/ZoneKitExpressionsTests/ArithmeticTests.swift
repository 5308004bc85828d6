import Testing

/// The results are those of PostgreSQL 15.
@Suite struct `arithmetic` {
  @Test(arguments: [
    ("10 / 4", "2"), ("10 / 4.0", "2.5000000000000000"), ("10 / 4::float8", "2.5"),
    ("1 / 3.0", "0.33333333333333333333"), ("-7 / 2", "-3"), ("-7 % 2", "-1"), ("7.5 % 2", "1.5"),
    ("m * m", "151.2900"), ("-m", "-12.30"), ("m + 1", "13.30"), ("r * d", "0.15000000000000002"), ("s + 1", "4"),
    ("i + 1.5", "8.5"), ("l * 2", "18000000000"), ("- (-2147483648)", "2147483648"),
    ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775808", "9223372036854775808"),
    ("'1' + '2'", "42725 operator is not unique: unknown + unknown"), ("1 + '2'", "3"), ("'3' * n", "4.50"),
    ("null + null", "42725 operator is not unique: unknown + unknown"), ("n / 3", "0.50000000000000000000"),
    ("0.1 + 0.2", "0.3"), ("0.1::float8 + 0.2::float8", "0.30000000000000004"),
  ])
  func `gives PostgreSQL's numbers`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("1/0", "22012 division by zero"), ("i / 0", "22012 division by zero"), ("n / 0", "22012 division by zero"),
    ("d / 0", "22012 division by zero"), ("r / 0", "22012 division by zero"), ("7 % 0", "22012 division by zero"),
    ("2147483647 + 1", "22003 integer out of range"), ("s * 32767::smallint", "22003 smallint out of range"),
    ("l * l", "22003 bigint out of range"), ("9223372036854775807 + 1", "22003 bigint out of range"),
    ("1e308::float8 * 10", "22003 value out of range: overflow"),
    ("1e-300::float8 * 1e-300::float8", "22003 value out of range: underflow"),
    ("3e38::real * 10::real", "22003 value out of range: overflow"),
    ("b + 1", "42883 operator does not exist: boolean + integer"),
    ("i + x", "42883 operator does not exist: integer + text"), ("- x", "42883 operator does not exist: - text"),
    ("- 'x'", "42725 operator is not unique: - unknown"), ("- dt", "42883 operator does not exist: - date"),
    ("dt * 2", "42883 operator does not exist: date * integer"),
    ("d % d", "42883 operator does not exist: double precision % double precision"),
  ])
  func `fails as PostgreSQL's does`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }

  @Test(arguments: [
    ("round(2.5)", "3"), ("round(-2.5)", "-3"), ("round(2.5::float8)", "2"), ("round(3.5::float8)", "4"),
    ("round(1.005, 2)", "1.01"), ("round(15, -1)", "20"), ("round(149.9, -2)", "100"), ("trunc(149.9, -2)", "100"),
    ("trunc(-1.59, 1)", "-1.5"), ("trunc(1.5, 3)", "1.500"), ("round(1.5, 3)", "1.500"), ("ceil(-1.5)", "-1"),
    ("ceil(1.0)", "1"), ("ceiling(1.01)", "2"), ("floor(-1.5)", "-2"), ("floor(-1)", "-1"), ("sign(-2)", "-1"),
    ("sign(0.00)", "0"), ("abs(-5)", "5"), ("abs(-2147483648)", "22003 integer out of range"),
    ("abs('x')", #"22P02 invalid input syntax for type double precision: "x""#),
    ("mod(7, 0)", "22012 division by zero"), ("mod(-7, 3)", "-1"), ("mod(7, 2.5)", "2.0"),
    ("trunc(null)", "42725 function trunc(unknown) is not unique"),
  ])
  func `has functions that round`(text: String, result: String) throws {
    #expect(try Samples.value(text) == result)
  }
}
