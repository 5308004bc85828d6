import Testing
import ZoneKitRecords

@Suite struct `what nobody interprets` {
  @Test(arguments: [
    "12345678901234567890", "1.2345678901234567890", "-0", "1E5", "1e+5", "0.10", "1e400", "-1.5e-400",
    #""caf\u00e9""#, #""\/""#, #""\ud83d\ude00""#, #""\u0041""#,
  ])
  func `is written as it was read`(text: String) throws {
    let json = try JSON(exactly: text)
    #expect(json.text() == text)
    #expect(json.text(.canonical) == text)
    let object = #"{"b":[\#(text)],"a":{"z":\#(text),"y":null}}"#
    #expect(try JSON(exactly: object).text() == object)
  }

  @Test(arguments: ["0", "-7", "9223372036854775807", "1.5", "1e+20", #""é""#, #""a\nb""#, "true", "null", "[]", "{}"])
  func `is no other value than before if it is written alike`(text: String) throws {
    #expect(try JSON(exactly: text) == JSON(parsing: text))
    #expect(try JSON(exactly: text).text() == text)
  }

  @Test func `has the value of its text`() throws {
    #expect(try JSON(exactly: #""\u0041""#).string == "A")
    #expect(try JSON(exactly: "1E2").number == 100)
    #expect(try JSON(exactly: "1e400").number == nil)
    #expect(try JSON(exactly: "1E2").kind == "a number")
    #expect(try JSON(exactly: #""\u0041""#).kind == "a string")
    #expect(throws: JSONError.self) { try JSON(parsing: "1e400") }
    #expect(throws: JSONError.self) { try JSON(exactly: "1e") }
    #expect(throws: JSONError.self) { try JSON(exactly: #""\ud83d""#) }
  }
}
