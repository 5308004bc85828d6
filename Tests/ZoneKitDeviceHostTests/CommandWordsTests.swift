import Testing
import ZoneKitDeviceHost

struct CommandWordsTests {
  private static func words(_ line: String) throws -> [String] {
    var words = try CommandWords(line)
    var all: [String] = []
    while let word = words.next() { all.append(word) }
    return all
  }

  @Test(arguments: [
    ("", []), ("  ", []), ("a  b\tc", ["a", "b", "c"]), ("\"a b\" c", ["a b", "c"]), ("a\"b c\"d", ["ab cd"]),
    ("\"\"", [""]), ("\"a \\\" b\"", ["a \" b"]), ("a\\b", ["a\\b"]),
  ])
  func `blanks divide words, and quotes keep them together`(line: String, expected: [String]) throws {
    #expect(try Self.words(line) == expected)
  }

  @Test(arguments: ["\"a", "a \"", "\"a\\"])
  func `an open quote is refused`(line: String) {
    #expect(throws: AppRefusal("a quote is not closed; end the text with \"")) { try CommandWords(line) }
  }

  @Test func `the end of a line and a surplus word are refused`() throws {
    var words = try CommandWords("a b")
    #expect(try words.next("a letter") == "a")
    #expect(throws: AppRefusal.self) { try words.end() }
    #expect(try words.next("a letter") == "b")
    #expect(throws: AppRefusal("the command ends too early; expected a letter")) { try words.next("a letter") }
    try words.end()
  }

  @Test func `commas and colons divide a list outside quotes`() throws {
    var words = try CommandWords("\"Ben: the, first\":20,me,\"\" rest")
    #expect(
      try words.nextList("persons") == [
        [CommandWords.Word("Ben: the, first", isQuoted: true), CommandWords.Word("20")], [CommandWords.Word("me")],
        [CommandWords.Word("")],
      ])
    #expect(words.upcoming == CommandWords.Word("rest"))
  }

  @Test func `a keyword is taken only without quotes`() throws {
    var words = try CommandWords("\"by\" by")
    let quoted = words.take("by")
    #expect(!quoted)
    #expect(try words.nextWord("a name") == CommandWords.Word("by", isQuoted: true))
    let plain = words.take("by")
    #expect(plain)
    #expect(words.upcoming == nil)
  }
}
