import ZoneKitRecords
import Testing

@Suite struct JSONParsingTests {
  @Test(
    arguments: [
      ("null", JSON.null), ("true", true), (" false\r\n\t", false), ("\"\"", ""), ("[]", []), ("{}", [:]), ("[ ]", []),
      ("{ }", [:]), ("[1,2 , 3]", [1, 2, 3]), ("{\"a\":{\"b\":[null]}}", ["a": ["b": [.null]]]),
      ("{\"a\" : 1 , \"a\" : 2}", .object([.init("a", 1), .init("a", 2)])), ("\"\u{7F}\"", "\u{7F}"),
    ] as [(String, JSON)])
  func `a document gives its value`(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text) == value)
  }

  @Test(
    arguments: [
      ("0", JSON.integer(0)), ("-1", -1), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)), ("9223372036854775808", 9_223_372_036_854_775_808.0),
      ("-9223372036854775809", -9_223_372_036_854_775_808.0), ("18446744073709551616", 18_446_744_073_709_551_616.0),
      ("1.0", 1.0), ("1e3", 1000.0), ("1E+3", 1000.0), ("25e-1", 2.5), ("0.1", 0.1), ("-0.5", -0.5),
      ("123456789012345678901234567890", 123456789012345678901234567890.0), ("1e22", 1e22), ("1e23", 1e23),
      ("9007199254740993.0", 9007199254740992.0), ("2.2250738585072011e-308", .number(.leastNormalMagnitude.nextDown)),
      ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)), ("5e-324", .number(.leastNonzeroMagnitude)),
      ("1e-400", 0.0), ("0e99999999999999999999", 0.0), ("0.000000000000000000000000000001", 1e-30),
    ] as [(String, JSON)])
  func `a number is an exact integer or the nearest Double`(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text) == value)
  }

  @Test func `minus zero keeps its sign`() throws {
    for text in ["-0", "-0.0", "-0e1"] {
      let value = try JSON(parsing: text)
      #expect(value.number?.sign == .minus)
      #expect(value.integer == nil)
    }
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
    (#""\ud83d\uDE42""#, "🙂"), (#""a\u0000b""#, "a\0b"), ("\"é\\né\"", "é\né"), (#""\uFFFF""#, "\u{FFFF}"),
    (#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"), (#""\\u0041""#, "\\u0041"),
  ])
  func `escapes stand for their characters`(text: String, value: String) throws {
    #expect(try JSON(parsing: text) == .string(value))
  }

  @Test(arguments: [
    ("", 0, "expected a value, found the end"), ("  ", 2, "expected a value, found the end"),
    ("nul", 3, "expected 'null', found the end"), ("nulL", 3, "expected 'null', found 'L'"),
    ("True", 0, "expected a value, found 'T'"), ("1 2", 2, "expected the end of the document, found '2'"),
    ("[1,]", 3, "expected a value, found ']'"), ("[1 2]", 3, "expected ',' or ']' after an element, found '2'"),
    ("[1", 2, "expected ',' or ']' after an element, found the end"),
    ("{\"a\"}", 4, "expected ':' after a name, found '}'"), ("{a:1}", 1, "expected a name in quotes, found 'a'"),
    ("{\"a\":1,}", 7, "expected a name in quotes, found '}'"),
    ("{\"a\":1]", 6, "expected ',' or '}' after a member, found ']'"),
    ("\u{FEFF}1", 0, "expected a value, found a byte order mark"),
    ("01", 1, "expected no digit after a leading zero, found one"),
    ("-01", 2, "expected no digit after a leading zero, found one"), ("-", 1, "expected a digit, found the end"),
    ("+1", 0, "expected a value, found '+'"), (".5", 0, "expected a value, found '.'"),
    ("1.", 2, "expected a digit, found the end"), ("1.e5", 2, "expected a digit, found 'e'"),
    ("1e", 2, "expected a digit, found the end"), ("1e+", 3, "expected a digit, found the end"),
    ("0x10", 1, "expected the end of the document, found 'x'"), ("NaN", 0, "expected a value, found 'N'"),
    ("1e400", 0, "expected a number within the range of a Double, found a greater one"),
    ("\"a", 2, "expected '\"' to end a string, found the end"),
    ("\"\\", 2, "expected an escape after '\\', found the end"),
    ("\"\\x\"", 2, "expected one of \" \\ / b f n r t u after '\\', found 'x'"),
    ("\"\\u12g4\"", 5, "expected four hexadecimal digits after '\\u', found 'g'"),
    ("\"\\u12", 5, "expected four hexadecimal digits after '\\u', found the end"),
    ("\"\t\"", 1, "expected a control character in a string to be escaped, found byte 0x9"),
    ("'a'", 0, "expected a value, found '''"), ("[1]\0", 3, "expected the end of the document, found byte 0x0"),
    ("\u{A0}1", 0, "expected a value, found byte 0xC2"), ("// a\n1", 0, "expected a value, found '/'"),
  ])
  func `what is no JSON is refused with its place and what was expected`(text: String, offset: Int, message: String) {
    #expect(throws: JSONError(offset: offset, line: 1, message: message)) { try JSON(parsing: text) }
  }

  @Test(arguments: [
    #""\ud800""#, #""\udc00""#, #""\ud800\n""#, #""\ud800\ud800""#, #""\ud800a""#, #""\ud800\u0041""#, #""\ud800\"#,
  ])
  func `a surrogate alone is refused where it begins`(text: String) {
    let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
    #expect(error?.offset == 1)
    #expect(error?.message == "expected a pair of surrogates, found one alone")
  }

  @Test(
    arguments: [
      ([0xFF], 0), ([0x61, 0x80], 1), ([0xC0, 0x80], 0), ([0xED, 0xA0, 0x80], 0), ([0xF4, 0x90, 0x80, 0x80], 0),
      ([0xC3], 0), ([0xE2, 0x82], 0), ([0x5C, 0x6E, 0xC3], 2), ([0xC3, 0x5C, 0x6E, 0xA9], 0),
    ] as [([UInt8], Int)])
  func `a string that is not UTF-8 is refused where it goes wrong`(content: [UInt8], offset: Int) {
    let error = #expect(throws: JSONError.self) { try JSON(parsing: [0x22] + content + [0x22]) }
    #expect(error?.offset == offset + 1)
    #expect(error?.message.hasPrefix("expected UTF-8 in a string, found byte 0x") == true)
  }

  @Test func `an error names the line`() {
    let error = #expect(throws: JSONError.self) { try JSON(parsing: "{\n  \"a\": 1,\n  \"b\" 2\n}") }
    #expect(error?.description == "line 3, byte 18: expected ':' after a name, found '2'")
  }

  @Test func `containers nest as deep as the limit and no deeper`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try JSON(parsing: nested(JSON.depthLimit)).text() == nested(JSON.depthLimit))
    let error = #expect(throws: JSONError.self) { try JSON(parsing: nested(JSON.depthLimit + 1)) }
    #expect(error?.offset == JSON.depthLimit)
    let objects = String(repeating: "{\"a\":", count: JSON.depthLimit + 1)
    #expect(throws: JSONError.self) { try JSON(parsing: objects) }
    #expect(throws: JSONError.self) { try JSON(parsing: String(repeating: "[", count: 1_000_000)) }
  }

  @Test func `a slice is read from its own start`() throws {
    let bytes = [UInt8]("xx[1]yy".utf8)
    #expect(try JSON(parsing: bytes[2..<5]) == [1])
    #expect(throws: JSONError(offset: 3, line: 1, message: "expected the end of the document, found 'y'")) {
      try JSON(parsing: bytes[2..<6])
    }
  }
}
