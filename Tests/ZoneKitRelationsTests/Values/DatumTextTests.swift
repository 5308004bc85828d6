import Testing
import ZoneKitRecords
import ZoneKitRelations

/// The texts and errors are those of PostgreSQL 15.
@Suite struct `the text of a value` {
  struct Accepted: Sendable, CustomTestStringConvertible {
    var type: DatumType
    var text: String
    var written: String
    var json: String

    init(_ type: DatumType, _ text: String, _ written: String, json: String? = nil) {
      (self.type, self.text, self.written) = (type, text, written)
      self.json = json ?? "\"\(written)\""
    }

    var testDescription: String { "\(type.fullName) \(text)" }
  }

  private static let money = DatumType.numeric(DatumType.NumericLimit(precision: 6, scale: 2))
  private static let mood = DatumType.enumeration(DatumType.EnumType("mood", ["sad", "ok", "happy day"]))
  private static let id = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"

  private static let numbers = [
    Accepted(.boolean, " yes ", "t", json: "true"), Accepted(.boolean, "of", "f", json: "false"),
    Accepted(.smallint, " 32767 ", "32767", json: "32767"), Accepted(.integer, "+5", "5", json: "5"),
    Accepted(.bigint, "-9223372036854775808", "-9223372036854775808", json: "-9223372036854775808"),
    Accepted(.numeric(nil), "1.50", "1.50", json: "1.50"), Accepted(.numeric(nil), "1e3", "1000", json: "1000"),
    Accepted(.numeric(nil), "1.5e-3", "0.0015", json: "0.0015"), Accepted(.numeric(nil), "-0.00", "0.00", json: "0.00"),
    Accepted(.numeric(nil), ".5", "0.5", json: "0.5"), Accepted(.numeric(nil), "NaN", "NaN"),
    Accepted(.numeric(nil), "-inf", "-Infinity"), Accepted(money, "1234.565", "1234.57", json: "1234.57"),
    Accepted(money, "-1.005", "-1.01", json: "-1.01"), Accepted(money, "9999.994", "9999.99", json: "9999.99"),
    Accepted(.real, "123456", "123456", json: "123456"),
    Accepted(.real, "1234567", "1.234567e+06", json: "1.234567e+06"),
    Accepted(.real, "0.1", "0.1", json: "0.1"),
    Accepted(.doublePrecision, "1e14", "100000000000000", json: "100000000000000"),
    Accepted(.doublePrecision, "1e15", "1e+15", json: "1e+15"),
    Accepted(.doublePrecision, "1e-5", "1e-05", json: "1e-05"),
    Accepted(.doublePrecision, "0.0001", "0.0001", json: "0.0001"), Accepted(.doublePrecision, "-0", "-0", json: "-0"),
    Accepted(.doublePrecision, "inf", "Infinity"),
  ]

  private static let times = [
    Accepted(.date, "20260504", "2026-05-04"), Accepted(.date, "2026-5-4", "2026-05-04"),
    Accepted(.date, "2026-05-04 10:00", "2026-05-04"), Accepted(.date, "0044-03-15 BC", "0044-03-15 BC"),
    Accepted(.date, "infinity", "infinity"), Accepted(.date, "10000-01-01", "10000-01-01"),
    Accepted(.time(nil), "7:8", "07:08:00"), Accepted(.time(nil), "07:08:09.123456789", "07:08:09.123457"),
    Accepted(.time(nil), "24:00", "24:00:00"), Accepted(.time(2), "07:08:09.125", "07:08:09.13"),
    Accepted(.timestamp(nil), "2026-05-04T07:08:09.5", "2026-05-04 07:08:09.5", json: #""2026-05-04T07:08:09.5""#),
    Accepted(.timestamp(nil), "2026-05-04 24:00:00", "2026-05-05 00:00:00", json: #""2026-05-05T00:00:00""#),
    Accepted(.timestamp(nil), "2026-05-04 07:08:09+02", "2026-05-04 07:08:09", json: #""2026-05-04T07:08:09""#),
    Accepted(.timestamp(3), "1990-12-31 23:59:59.9985", "1990-12-31 23:59:59.998", json: #""1990-12-31T23:59:59.998""#),
    Accepted(.timestamp(nil), "20260504T070809", "2026-05-04 07:08:09", json: #""2026-05-04T07:08:09""#),
    Accepted(
      .timestamptz(nil), "2026-05-04T07:08:09.123456+05:30", "2026-05-04 01:38:09.123456+00",
      json: #""2026-05-04T01:38:09.123456+00:00""#),
    Accepted(
      .timestamptz(nil), "2026-05-04 07:08:09 -0330", "2026-05-04 10:38:09+00", json: #""2026-05-04T10:38:09+00:00""#),
    Accepted(
      .timestamptz(nil), "0001-01-01 00:00:00+10", "0001-12-31 14:00:00+00 BC", json: #""0001-12-31T14:00:00+00:00 BC""#
    ),
  ]

  private static let others = [
    Accepted(.varchar(3), "abc  ", "abc"), Accepted(.varchar(3), "äöü", "äöü"), Accepted(.char(3), "a", "a  "),
    Accepted(.uuid, "{A0EEBC999C0B4EF8BB6D6BB9BD380A11}", id),
    Accepted(.json, #" [1, 2] "#, #" [1, 2] "#, json: " [1, 2] "),
    Accepted(
      .jsonb, #"{"aa":1,"b":2,"a":3,"a":4}"#, #"{"a": 4, "b": 2, "aa": 1}"#, json: #"{"a": 4, "b": 2, "aa": 1}"#),
    Accepted(.jsonb, "[1.50,1e3,-0,1E-3]", "[1.50, 1000, 0, 0.001]", json: "[1.50, 1000, 0, 0.001]"),
    Accepted(.bytea, #"\xdeadBEEF"#, #"\xdeadbeef"#, json: #""\\xdeadbeef""#),
    Accepted(.bytea, #"a\101\\"#, #"\x61415c"#, json: #""\\x61415c""#), Accepted(mood, "happy day", "happy day"),
    Accepted(.array(.integer), "{ 1 , null }", "{1,NULL}", json: "[1,null]"),
    Accepted(.array(.integer), "{}", "{}", json: "[]"),
    Accepted(
      .array(.text), #"{"NULL",NULL,"a b",c\,d,""}"#, #"{"NULL",NULL,"a b","c,d",""}"#,
      json: #"["NULL",null,"a b","c,d",""]"#),
  ]

  @Test(arguments: numbers + times + others)
  func `is read and written as PostgreSQL does`(sample: Accepted) throws {
    let datum = try sample.type.datum(sample.text, now: 0)
    var json: [UInt8] = []
    sample.type.append(datum, toJSON: &json)
    #expect(sample.type.text(of: datum) == sample.written)
    #expect(String(decoding: json, as: UTF8.self) == sample.json)
    #expect(try sample.type.datum(sample.written, now: 0) == datum)
  }

  @Test(
    arguments: [
      (.boolean, "o", .invalidText, #"invalid input syntax for type boolean: "o""#),
      (.smallint, "32768", .numberOutOfRange, #"value "32768" is out of range for type smallint"#),
      (.integer, "1.0", .invalidText, #"invalid input syntax for type integer: "1.0""#),
      (money, "9999.995", .numberOutOfRange, "numeric field overflow"),
      (.real, "1e40", .numberOutOfRange, #""1e40" is out of range for type real"#),
      (.doublePrecision, "1e-400", .numberOutOfRange, #""1e-400" is out of range for type double precision"#),
      (.varchar(3), "abcd", .textTooLong, "value too long for type character varying(3)"),
      (.uuid, "x", .invalidText, #"invalid input syntax for type uuid: "x""#),
      (.date, "2023-02-29", .timeOutOfRange, #"date/time field value out of range: "2023-02-29""#),
      (.time(nil), "x", .invalidTime, #"invalid input syntax for type time: "x""#),
      (
        .timestamp(nil), "2026-05-04 25:00", .timeOutOfRange, #"date/time field value out of range: "2026-05-04 25:00""#
      ),
      (.timestamptz(nil), "x", .invalidTime, #"invalid input syntax for type timestamp with time zone: "x""#),
      (
        .timestamptz(nil), "2026-05-04 07:08:09+16", .timeZoneOutOfRange,
        #"time zone displacement out of range: "2026-05-04 07:08:09+16""#
      ),
      (.jsonb, "nul", .invalidText, "invalid input syntax for type json"),
      (.jsonb, #""\u0000""#, .unsupportedCharacter, "unsupported Unicode escape sequence"),
      (.bytea, #"\xzz"#, .invalidParameter, #"invalid hexadecimal digit: "z""#),
      (mood, "Sad", .invalidText, #"invalid input value for enum mood: "Sad""#),
      (.array(.integer), "{1,}", .invalidText, #"malformed array literal: "{1,}""#),
      (.array(.integer), "{a}", .invalidText, #"invalid input syntax for type integer: "a""#),
    ] as [(DatumType, String, SQLFailure.Code, String)])
  func `is refused as PostgreSQL does`(type: DatumType, text: String, code: SQLFailure.Code, message: String) {
    let failure = #expect(throws: SQLFailure.self) { try type.datum(text, now: 0) }
    #expect(failure?.code == code)
    #expect(failure?.message == message)
  }

  @Test func `may stand for the time of the statement`() throws {
    let now = try #require(try DatumType.timestamptz(nil).datum("2026-05-04 07:08:09Z", now: 0).microseconds)
    func text(_ type: DatumType, _ word: String) throws -> String { type.text(of: try type.datum(word, now: now)) }
    #expect(try text(.date, "today") == "2026-05-04")
    #expect(try text(.date, "tomorrow") == "2026-05-05")
    #expect(try text(.timestamptz(nil), "now") == "2026-05-04 07:08:09+00")
    #expect(try text(.time(nil), "now") == "07:08:09")
    #expect(try text(.timestamp(nil), "yesterday") == "2026-05-03 00:00:00")
  }

  @Test func `is compared and quoted byte by byte`() throws {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    #expect(try DatumType.text.datum(composed, now: 0) != DatumType.text.datum(decomposed, now: 0))
    let keys = try DatumType.jsonb.datum("{\"\(composed)\":1,\"\(decomposed)\":2}", now: 0)
    #expect(DatumType.jsonb.text(of: keys) == "{\"\(composed)\": 1, \"\(decomposed)\": 2}")
    let letters = DatumType.enumeration(DatumType.EnumType("letter", [composed]))
    #expect(throws: SQLFailure.self) { try letters.datum(decomposed, now: 0) }
    // A mark behind a quote makes both one character for Swift.
    let words = DatumType.array(.text)
    let quoted = try words.datum(.array([.string("\"\u{301}")]), now: 0)
    #expect(Array(words.text(of: quoted).utf8) == Array("{\"\\\"\u{301}\"}".utf8))
    #expect(try words.datum(words.text(of: quoted), now: 0) == quoted)
  }

  @Test func `in JSON stands for a value of any type`() throws {
    func text(_ type: DatumType, _ json: JSON) throws -> String { type.text(of: try type.datum(json, now: 0)) }
    #expect(try text(.text, .integer(5)) == "5")
    #expect(try text(.integer, .string("7")) == "7")
    #expect(try text(.text, .object([JSON.Member("a", .integer(1))])) == #"{"a":1}"#)
    #expect(try text(.array(.text), .array([.string("a"), .null])) == "{a,NULL}")
    #expect(try text(.array(.text), .string("{a,b}")) == "{a,b}")
    #expect(try text(.numeric(nil), JSON(exactly: "1.10")) == "1.10")
    #expect(try DatumType.jsonb.datum(.null, now: 0) == .null)
    #expect(throws: SQLFailure.self) { try text(.integer, .bool(true)) }
    #expect(throws: SQLFailure.self) { try text(.array(.text), .integer(1)) }
  }
}

extension Datum {
  fileprivate var microseconds: Int64? { if case .timestamp(let time) = self { time } else { nil } }
}
