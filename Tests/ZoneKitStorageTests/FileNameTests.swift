import ZoneKitRecords
import ZoneKitStorage
import Testing

@Suite struct `a file name` {
  @Test(arguments: [
    ("Notes", "Notes"), ("a.b", "a.b"), (".", "%2E"), ("..", "%2E."), ("a/b", "a%2Fb"), ("", "%"), ("%", "%25"),
    ("é", "%C3%A9"), ("e\u{301}", "e%CC%81"), ("a\u{0}b", "a%00b"), ("x.zone-wal", "x.zone-wal"), (" ", "%20"),
  ])
  func `keeps letters, digits, lines and dots, and escapes other bytes`(name: String, file: String) {
    #expect(FileName.encode(Name(name)) == file)
    #expect(FileName.decode(file) == Name(name))
  }

  @Test(arguments: ["%2", "%zz", "a/b", ".", "a b", "%41", "%e9", "%FF", "%%", ""])
  func `that no name leads to stands for none`(file: String) {
    #expect(FileName.decode(file) == nil)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `decodes to any original name and stays in its folder`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let name = Self.randomName(using: &generator)
      let file = FileName.encode(name)
      #expect(FileName.decode(file) == name)
      #expect(!file.isEmpty && !file.hasPrefix(".") && !file.contains("/") && file.utf8.allSatisfy { $0 < 0x80 })
    }
  }

  @Test func `of a long name is cut and made unique by a hash`() throws {
    let atLimit = Name(String(repeating: "a", count: FileName.lengthLimit))
    #expect(FileName.file(atLimit) == atLimit.text)
    for (first, second) in [("a", "b"), ("日", "本")] {
      let long = String(repeating: first, count: 254)
      let names = [Name(long + first), Name(long + second)].map(FileName.file)
      #expect(Set(names).count == 2)
      #expect(names.allSatisfy { $0.utf8.count <= FileName.lengthLimit && FileName.decode($0) == nil })
    }
  }

  @Test func `of a folder is refused one byte above the limit`() throws {
    let limit = FileName.lengthLimit
    #expect(try FileName.folder(Name(String(repeating: "a", count: limit)), in: "/x").utf8.count == limit)
    let error = #expect(throws: StoreError.self) {
      try FileName.folder(Name(String(repeating: "a", count: limit + 1)), in: "/x")
    }
    #expect(error?.message.contains("241 bytes long as a folder name; at most 240") == true)
  }

  private static func randomName(using generator: inout SplitMix64) -> Name {
    let alphabet: [Unicode.Scalar] = [
      "a", "Z", "9", ".", ".", "/", "%", "-", "_", " ", "\u{0}", "é", "\u{301}", "日", "😀",
    ]
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      scalars.append(alphabet.randomElement(using: &generator) ?? "a")
    }
    return Name(String(scalars))
  }
}
