import Testing
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `a hostile file of documents` {
  /// The problems of a file that take less than a second to find.
  private func quickly(_ text: String) -> [String] {
    var found: [String] = []
    let time = ContinuousClock().measure { found = problems(text) }
    #expect(time < .seconds(1))
    return found
  }

  private func many(_ count: Int, _ member: (Int) -> String) -> String {
    (0..<count).map(member).joined(separator: ",")
  }

  @Test func `is refused at its limits`() {
    let limit = DocumentSchemaReader.byteLimit
    #expect(problems(documentsFile() + String(repeating: " ", count: limit - documentsFile().utf8.count)) == [])
    #expect(
      quickly(String(repeating: " ", count: limit + 1))
        == ["f: the file has 262145 bytes, at most 262144 are allowed"])
    for (count, isAllowed) in [(64, true), (65, false)] {
      let members = many(count) { ##""c\##($0)": {"type": "array", "items": {"$ref": "#/$defs/B"}}"## }
      let text =
        ##"{"title": "r", "type": "object", "properties": {\##(members)}, "$defs": {"B": {"type": "object", "properties": {"a": {"type": "boolean"}}}}}"##
      #expect(quickly(text) == (isAllowed ? [] : ["f:1:48: there are 65 collections, at most 64 are allowed"]))
    }
    for (count, isAllowed) in [(200, true), (201, false)] {
      let found = quickly(documentsFile(many(count) { ##""m\##($0)": {"type": "boolean"}"## }))
      #expect(found == (isAllowed ? [] : ["f:2:68: there are 201 members, at most 200 are allowed"]))
    }
    for (count, isAllowed) in [(500, true), (501, false)] {
      let found = quickly(documentsFile(##""m": {"enum": [\##(many(count) { "\"w\($0)\"" })]}"##))
      #expect(found == (isAllowed ? [] : [##"f:3:15: "enum" has 501 texts; it has to have 1 to 500"##]))
    }
  }

  @Test func `lists its first problems`() {
    let found = quickly(documentsFile(many(60) { ##""\##($0)": 1"## }))
    #expect(found.count == 51)
    #expect(found.last == "f: there are more problems; 50 are listed")
  }

  @Test func `is no crash`() {
    let deep = String(repeating: ##"{"properties":"##, count: 10_000)
    #expect(quickly(deep).first?.contains("this is no JSON: expected at most 64 nested arrays and objects") == true)
    let wide = String(repeating: "[", count: 60) + many(50_000) { _ in "{}" } + String(repeating: "]", count: 60)
    #expect(quickly(wide).count == 1)
    let chain = many(5_000) { ##""d\##($0)": {"$ref": "#/$defs/d\##($0 + 1)"}"## }
    #expect(quickly(documentsFile(##""a": {"$ref": "#/$defs/d0"}"##, definitions: chain + ",")).count == 1)
    #expect(!quickly(documentsFile(many(9_000) { ##""x\##($0)": {"typ": 1, "type": "strin"}"## })).isEmpty)
  }

  @Test func `of random changes is read or refused`() {
    var generator = SplitMix64(seed: 12)
    let text = Array(Summed.file().utf8)
    for _ in 0..<2_000 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0...2, using: &generator) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(bytes[Int.random(in: bytes.indices, using: &generator)], at: place)
        default: bytes[place] = Array("{}[]\",:0a_$#".utf8).randomElement(using: &generator) ?? 0
        }
      }
      do throws(DocumentSchemaProblems) {
        _ = try DocumentSchemaReader.app(bytes, file: "f")
      } catch {
        #expect(!error.list.isEmpty)
      }
    }
  }
}
