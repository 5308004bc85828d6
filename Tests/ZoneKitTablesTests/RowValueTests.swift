import Testing
import ZoneKitRecords
import ZoneKitTables

@Suite struct `the value of a column` {
  @Test(arguments: ["12345678901234567890", "1.10", "1e400", "1E5"])
  func `is the text of a number as it was written, in a column of texts`(text: String) throws {
    #expect(try RowValue(JSON(exactly: text), as: .text) == .text(text))
  }

  @Test func `is read from texts and numbers that were written in another way`() throws {
    #expect(try RowValue(JSON(exactly: #""\u0041""#), as: .text) == .text("A"))
    #expect(try RowValue(JSON(exactly: "1.50"), as: .float8) == .float8(1.5))
    #expect(try RowValue(JSON(exactly: "3.00"), as: .int4) == .int4(3))
    #expect(try RowValue(JSON(exactly: "12345678901234567.89"), as: .float8) == .float8(12_345_678_901_234_568))
    #expect(try RowValue(JSON(exactly: "0e-400"), as: .float8) == .float8(0))
    #expect(try RowValue(JSON(exactly: "49e-325"), as: .float8) == .float8(.leastNonzeroMagnitude))
    for text in ["1e400", "-1e400", "0.1e-400"] {
      let error = #expect(throws: RowError.self) { try RowValue(JSON(exactly: text), as: .float8) }
      #expect(error?.code == "22003" && error?.message == "\"\(text)\" is out of range for type double precision")
    }
    let error = #expect(throws: RowError.self) { try RowValue(JSON(exactly: "99999999999999999999"), as: .int4) }
    #expect(error?.message == "value \"99999999999999999999\" is out of range for type integer")
  }

  @Test(
    arguments: [
      ("2026-05-04T07:08:09.120+00:00", 1_777_878_489_120), ("2026-05-04 07:08:09.1209999Z", 1_777_878_489_120),
      ("2026-05-04T07:08:09", 1_777_878_489_000), ("2026-05-04T09:08+02", 1_777_878_480_000),
      ("2026-05-04T09:08:09+0200", 1_777_878_489_000),
      ("2026-05-04T05:08:09-02:00", 1_777_878_489_000), ("2026-05-04", 1_777_852_800_000),
      ("1969-12-31T23:59:59.9999Z", -1),
    ] as [(String, Int64)])
  func `is a time in whole milliseconds, cut downwards`(text: String, milliseconds: Int64) throws {
    #expect(try RowValue(text: text, as: .timestamp) == .timestamp(WallTime(milliseconds: milliseconds)))
  }

  @Test(arguments: [
    "", "2026-05-04T", "2026-13-04T07:08:09Z", "2026-05-04T07:08:09+2", "2026-05-04T07:08:09+02:0",
    "2026-05-04T07:08:09Zx", "0000-01-01T00:00:00Z", "2026-05-04x07:08:09Z", "0001-01-01T00:00:00+01:00",
    "2026-05-04T07:08:09.1234567890Z", "now", "2026-05-04T07:08:09.120 00:00",
  ])
  func `is no time in any other form`(text: String) {
    #expect(throws: RowError.invalid(text, as: .timestamp)) { try RowValue(text: text, as: .timestamp) }
  }

  @Test func `is a Boolean, a number or an identifier in the forms of PostgreSQL`() throws {
    for text in ["true", "T", "t", "1", "TRUE"] { #expect(try RowValue(text: text, as: .bool) == .bool(true)) }
    for text in ["False", "f", "0"] { #expect(try RowValue(text: text, as: .bool) == .bool(false)) }
    #expect(try RowValue(.integer(2), as: .float8) == .float8(2))
    #expect(try RowValue("2.5", as: .float8) == .float8(2.5))
    #expect(try RowValue(.number(-0.0), as: .float8) == .float8(0))
    #expect(try RowValue(text: "-7", as: .int4) == .int4(-7))
    let id = UUID(high: 0xE2B7_0000_0000_4000, low: 0x8000_0000_0000_0001)
    for text in ["e2b70000-0000-4000-8000-000000000001", "{E2B70000000040008000000000000001}"] {
      #expect(try RowValue(text: text, as: .uuid) == .uuid(id))
    }
  }

  @Test func `is refused with the codes of PostgreSQL`() {
    let cases: [(JSON, ColumnType, String)] = [
      ("x", .uuid, "22P02"), (.integer(3), .uuid, "22P02"), ("nan", .float8, "22P02"), ("Infinity", .float8, "22P02"),
      ("1e400", .float8, "22003"), ("-1e400", .float8, "22003"), ("1e-400", .float8, "22003"),
      ("2147483648", .int4, "22003"), (.integer(-2_147_483_649), .int4, "22003"), (.number(1.5), .int4, "22P02"),
      ("99999999999999999999", .int4, "22003"), ("maybe", .bool, "22P02"), (.integer(1), .bool, "22P02"),
      ("soon", .timestamp, "22007"), (.string("a\u{0}"), .text, "22P05"), ([], .float8, "22P02"),
    ]
    for (json, type, code) in cases {
      do {
        _ = try RowValue(json, as: type)
        Issue.record("\(json) was read as \(type)")
      } catch {
        #expect(error.kind.code == code, "\(json) as \(type)")
      }
    }
  }

  @Test func `is compared byte by byte if it is a text`() {
    #expect(RowValue.text("ä") != RowValue.text("a\u{308}"))
    #expect(RowValue.text("a") == RowValue.text("a"))
  }

  @Test func `has an error with a code and a status for each kind`() {
    for kind in RowError.Kind.allCases {
      #expect(kind.code != "XX000" || kind == .notServed)
      #expect((400...503).contains(kind.status))
    }
  }
}
