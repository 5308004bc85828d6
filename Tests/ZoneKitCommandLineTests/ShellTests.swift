import Testing

@testable import ZoneKitCommandLine

/// What shells get of the tables of verbs.
struct ShellTests {
  /// The words that are offered for the last one of a command.
  private func offers(_ words: String...) -> [String] {
    Completion(of: words, verbs: CommandLineProgram.verbs).offers.map(\.word)
  }

  @Test(arguments: [
    ("save [NAME] | restore SNAPSHOT | list", [], ["save", "restore", "list"]),
    ("save [NAME] | restore SNAPSHOT | list", ["list"], []), ("FILE", ["a"], []),
    ("bash|zsh|fish | offer -- [WORD...]", [], ["bash", "zsh", "fish", "offer"]),
    ("on|off N...", ["on", "1", "2"], []),
    ("on|off now|later...", ["on", "now", "later"], ["now", "later"]), ("on now", ["off"], []),
  ])
  func `operands are read as the help writes them`(text: String, before: [String], words: [String]) {
    #expect(OperandSyntax(text, meanings: [:]).kinds(after: before).flatMap(\.words) == words)
  }

  @Test(arguments: [
    ("FILE.sql|FOLDER|swisscoin|none", ValueKind.Paths.files, ["swisscoin", "none"]), ("DIR", .folders, []),
    ("open|strict", .none, ["open", "strict"]), ("A..B", .none, []), ("MAPPING.json", .files, []), ("MS", .none, []),
  ])
  func `a placeholder says what a value can be`(placeholder: String, paths: ValueKind.Paths, words: [String]) {
    let kind = ValueKind(placeholder: placeholder)
    #expect(kind.paths == paths)
    #expect(kind.words == words)
  }

  @Test func `a word after an option that takes a value is its value`() {
    #expect(offers("serve", "--auth", "") == ["open", "strict"])
    #expect(offers("serve", "--log", "--auth") == ["--auth"])
    #expect(offers("serve", "--auth", "open", "--push-s") == ["--push-slot"])
  }

  @Test func `after two dashes no word is an option`() {
    #expect(offers("exec", "--", "--").isEmpty)
    #expect(Completion(of: ["exec", "--", ""], verbs: CommandLineProgram.verbs).paths == .commands)
  }

  @Test(arguments: CommandLineProgram.verbs.map(\.name))
  func `every verb and every option of the help is offered`(name: String) throws {
    let verb = try #require(CommandLineProgram.verbs.first { $0.name == name })
    #expect(offers("").contains(name))
    #expect(offers(name, "-") == verb.allOptions.map(\.name))
  }

  @Test func `the manual page has nothing that roff takes for a macro`() {
    let verb = VerbSpec(
      "try", summary: "try it", details: ".profile and 'words' with a \\ stay", examples: [".zonekit"],
      run: { (_) throws(ExitFailure) in 0 })
    let lines = ManualPage(of: [verb], date: "May 4, 2026", summary: "A program").text.split(separator: "\n")
    #expect(lines.contains(#"\&.profile and \(aqwords\(aq with a \e stay"#))
    #expect(lines.contains(#"\&.zonekit"#))
  }

  @Test(arguments: [
    (0, 10, 0.0, "[------------------------] 0 of 10 files"),
    (5, 10, 2.0, "[############------------] 5 of 10 files, 2.5 a second, 2 s left"),
    (10, 10, 0.5, "[########################] 10 of 10 files, 20 a second, 0 s left"),
    (1, 1_000, 1.0, "[------------------------] 1 of 1000 files, 1.0 a second, 17 min left"),
    (1, 10_000, 1.0, "[------------------------] 1 of 10000 files, 1.0 a second, 3 h left"),
  ])
  func `progress is a bar, a count, a rate and the rest`(done: Int, total: Int, seconds: Double, text: String) {
    #expect(ProgressLine.text(done, of: total, "files", "", after: .seconds(seconds)) == text)
  }

  @Test(arguments: [("plain-1.0:/x", "plain-1.0:/x"), ("", "''"), ("it's $HOME", #"'it'\''s $HOME'"#)])
  func `a word is quoted for a shell only if it has to be`(text: String, word: String) {
    #expect(ShellText.quoted(text) == word)
  }
}
