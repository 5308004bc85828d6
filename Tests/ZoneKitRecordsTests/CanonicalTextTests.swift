import ZoneKitRecords
import Testing

/// Parts of canonical text are read without trees of JSON. The trees say what is right.
@Suite struct CanonicalTextTests {
  /// The text with some bytes changed, added and removed.
  private func damaged(_ text: [UInt8], using generator: inout SplitMix64) -> [UInt8] {
    let bytes = Array(#"{}[]",:\09-. eu"#.utf8) + [0, 0x1F, 0xC3, 0xFF]
    var text = text
    for _ in 0..<Int.random(in: 0...3, using: &generator) where !text.isEmpty {
      let place = Int.random(in: 0..<text.count, using: &generator)
      let byte = bytes.randomElement(using: &generator) ?? 0
      switch Int.random(in: 0...2, using: &generator) {
      case 0: text[place] = byte
      case 1: text.insert(byte, at: place)
      default: text.remove(at: place)
      }
    }
    return text
  }

  @Test func `fields are decoded from any bytes as from their tree`() {
    var generator = SplitMix64(seed: 1)
    var (decoded, failed) = (0, 0)
    for _ in 0..<10_000 {
      let text = damaged(EncodedFields(Fields.random(using: &generator)).utf8, using: &generator)
      let expected = Fields(tree: text)
      let found = try? EncodedFields(canonical: text).decoded()
      #expect(found == expected, "\(String(decoding: text, as: UTF8.self))")
      if expected == nil { failed += 1 } else { decoded += 1 }
    }
    #expect(decoded > 1_000 && failed > 1_000)
  }

  @Test func `flat objects are canonical if their tree is written like them`() {
    var generator = SplitMix64(seed: 2)
    let values: [JSON] = [
      .null, .bool(true), 0, -7, .integer(.max), .integer(.min), 1.5, "", "a", "\"\\\n\u{1}é", .array([]), .object([]),
    ]
    var (canonical, others) = (0, 0)
    for _ in 0..<20_000 {
      let members = ["a", "ab", "B", "é", ""].filter { _ in Bool.random(using: &generator) }.shuffled(using: &generator)
        .map { JSON.Member($0, values.randomElement(using: &generator) ?? .null) }
      let style: JSON.Style = Bool.random(using: &generator) ? .canonical : .compact
      let text = damaged(JSON.object(members).bytes(style), using: &generator)
      let isText = (try? UTF8Span(validating: text.span)) != nil
      var found: [JSON.Member] = []
      let isCanonical =
        isText
        && text.span.isCanonicalFlatObject { key, value in
          let json = (try? JSON(parsing: text[value])) ?? .array([])
          found.append(JSON.Member(String(utf8: key) ?? "", json))
        }
      guard isCanonical else {
        others += 1
        continue
      }
      canonical += 1
      #expect((try? JSON(parsing: text))?.bytes(.canonical) == text, "\(String(decoding: text, as: UTF8.self))")
      #expect(JSON.object(found).bytes() == text)
    }
    #expect(canonical > 1_000 && others > 1_000)
  }

  @Test func `the usual objects are canonical`() {
    for text in ["{}", #"{"a":1}"#, #"{"_id":"x","createdAt":-5,"extra":"{\"a\":\"\\n\"}","on":true}"#] {
      let isCanonical = text.utf8.span.isCanonicalFlatObject()
      #expect(isCanonical)
    }
    for text in [
      "", "{", "[]", #"{"a":1,}"#, #"{"b":1,"a":1}"#, #"{"a":1,"a":1}"#, #"{"a":01}"#, #"{"a":-0}"#, #"{"a":"\/"}"#,
    ] {
      let isCanonical = text.utf8.span.isCanonicalFlatObject()
      #expect(!isCanonical)
    }
  }

  @Test(arguments: ["0", "7", "-7", "9223372036854775807", "-9223372036854775808"])
  func `canonical integers are read`(text: String) {
    let found = Int64(canonical: text.utf8.span)
    #expect(found == Int64(text))
  }

  @Test(arguments: [
    "", "-", "-0", "00", "01", "+1", "1.0", " 1", "1 ", "9223372036854775808", "-9223372036854775809",
    "18446744073709551616", "99999999999999999999",
  ])
  func `other numbers are no canonical integers`(text: String) {
    let found = Int64(canonical: text.utf8.span)
    #expect(found == nil)
  }

  @Test func `strings are unescaped as their trees are`() {
    var generator = SplitMix64(seed: 3)
    let parts = ["a", "é", "\\\"", "\\\\", "\\/", "\\n", "\\u00e9", "\\ud83d\\ude42", "\\ud83d", "\\x", "\u{1}", "\""]
    for _ in 0..<5_000 {
      let inner = (0..<Int.random(in: 0...5, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? ""
      }
      let text = Array("\"\(inner.joined())\"".utf8)
      var found: [UInt8] = []
      let end = found.appendUnescaped(text.span, from: 0)
      guard let end else {
        #expect((try? JSON(parsing: text)) == nil)
        continue
      }
      #expect((try? JSON(parsing: text[..<end])) == .string(String(decoding: found, as: UTF8.self)))
    }
  }

  @Test func `elements of an array are found`() {
    let text = Array(#"x[1,"a,]",{"b":[2,3]},[]]"#.utf8)
    var walk = ArrayWalk(1..<text.count, in: text.span)
    var found: [String] = []
    while let range = walk?.next(in: text.span) { found.append(String(decoding: text[range], as: UTF8.self)) }
    #expect(found == ["1", #""a,]""#, #"{"b":[2,3]}"#, "[]"] && walk?.isAtEnd == true)
  }

  @Test(arguments: ["", "[", "]", "1", "{}"]) func `other values are no arrays`(text: String) {
    let walk = ArrayWalk(0..<text.utf8.count, in: text.utf8.span)
    #expect(walk == nil)
  }

  @Test(arguments: ["[1,]", "[,1]", "[\"a]", "[[]", "[1]]"]) func `a broken array has no end`(text: String) {
    var walk = ArrayWalk(0..<text.utf8.count, in: text.utf8.span)
    while walk?.next(in: text.utf8.span) != nil {}
    #expect(walk?.isAtEnd != true)
  }
}

extension Fields {
  /// The fields in the tree of a text; nil if it is none of fields.
  fileprivate init?(tree text: [UInt8]) {
    guard let members = (try? JSON(parsing: text))?.object else { return nil }
    self.init()
    for member in members {
      guard let type = member.value["type"]?.string.flatMap(FieldType.init(rawValue:)),
        let json = member.value["value"], let value = FieldValue(json, as: type)
      else { return nil }
      set(
        Field(name: Name(member.key), value: value, isEncrypted: member.value["isEncrypted"]?.bool ?? false))
    }
  }
}
