import ZoneKitRecords
import Testing

@Suite struct JSONWritingTests {
  let value: JSON = ["b": [1, [], ["c": .null]], "a": "x\"y", "é": true, "B": [:]]

  @Test func `compact has no space and keeps the order`() {
    #expect(value.text() == #"{"b":[1,[],{"c":null}],"a":"x\"y","é":true,"B":{}}"#)
    #expect(value.description == value.text())
  }

  @Test func `pretty indents by two spaces and leaves empty containers whole`() {
    #expect(
      value.text(.pretty) == """
        {
          "b": [
            1,
            [],
            {
              "c": null
            }
          ],
          "a": "x\\"y",
          "é": true,
          "B": {}
        }
        """)
  }

  @Test func `canonical sorts names by their bytes`() {
    #expect(value.text(.canonical) == #"{"B":{},"a":"x\"y","b":[1,[],{"c":null}],"é":true}"#)
    // U+FFFD sorts after U+10000 in UTF-16 and before it in UTF-8.
    let wide: JSON = ["\u{10000}": 2, "\u{FFFD}": 1, "": 0]
    #expect(wide.text(.canonical) == "{\"\":0,\"\u{FFFD}\":1,\"\u{10000}\":2}")
  }

  @Test func `canonical keeps the last of a repeated name`() {
    let value = JSON.object([.init("b", 1), .init("a", 2), .init("b", 3), .init("b", 4)])
    #expect(value.text(.canonical) == #"{"a":2,"b":4}"#)
    #expect(value.text() == #"{"b":1,"a":2,"b":3,"b":4}"#)
  }

  @Test func `canonical distinguishes names that only look alike`() {
    let composed = "\u{E9}"
    let decomposed = "e\u{301}"
    let value = JSON.object([.init(composed, 1), .init(decomposed, 2)])
    #expect(value.bytes(.canonical) == [UInt8]("{\"\(decomposed)\":2,\"\(composed)\":1}".utf8))
  }

  @Test(
    arguments: [
      (5.0, "5.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e21, "1e+21"), (1e16, "1e+16"), (1e-7, "1e-07"),
      (2.5e-9, "2.5e-09"),
      (.leastNonzeroMagnitude, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
      (9007199254740993.0, "9007199254740992.0"),
      (.nan, "null"), (.infinity, "null"), (-.infinity, "null"),
    ] as [(Double, String)])
  func `a number is written shortest and never like an integer`(number: Double, text: String) {
    #expect(JSON.number(number).text() == text)
  }

  @Test func `every character that needs no escape is written as it is`() {
    #expect(JSON.string("/\u{7F}é€🙂\u{2028}").text() == "\"/\u{7F}é€🙂\u{2028}\"")
  }

  @Test func `quotes, backslashes and control characters are escaped`() {
    #expect(
      JSON.string("\"\\\u{8}\u{9}\n\u{C}\r\0\u{1F}\u{B}").text() == #""\"\\\b\t\n\f\r\u0000\u001f\u000b""#)
  }

  @Test func `the primitives append to what is there`() {
    var bytes: [UInt8] = []
    bytes.append(literal: "[")
    bytes.appendJSONString(utf8: [UInt8]("a\nb".utf8)[1...])
    bytes.append(literal: ",")
    bytes.appendDecimal(.min)
    bytes.append(literal: ",")
    bytes.appendDecimal(.max)
    bytes.append(literal: ",")
    bytes.appendDecimal(0)
    bytes.append(copying: [UInt8](",7]".utf8).span)
    bytes.append(copying: [UInt8]().span)
    #expect(
      String(decoding: bytes, as: UTF8.self) == #"["\nb",-9223372036854775808,9223372036854775807,0,7]"#)
  }

  @Test func `a string of foreign storage is written whole`() {
    let text = "prefix: long enough not to be stored inline \"quoted\" ü"
    #expect(JSON.string(String(text.dropFirst(8))).text() == #""long enough not to be stored inline \"quoted\" ü""#)
  }
}
