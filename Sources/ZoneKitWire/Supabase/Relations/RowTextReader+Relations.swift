import ZoneKitRelations
import ZoneKitTables

extension RowTextReader {
  /// The steps into a JSON value: `->name`, `->>name` and `->0`.
  mutating func path() throws(RowError) -> [RelationField.Step] {
    var steps: [RelationField.Step] = []
    while startsWith("->") {
      let isText = skip("->>") || !skip("->")
      steps.append(RelationField.Step(try key(), isText: isText))
    }
    return steps
  }

  /// A member's name: in quotes, or up to a mark.
  private mutating func key() throws(RowError) -> String {
    if next == UInt8(ascii: "\"") { return try name() }
    let sign = skip("-") ? "-" : ""
    let key = sign + (try name())
    return key
  }

  /// Whether those words are next.
  func startsWith(_ words: String) -> Bool {
    var other = self
    return other.skip(words)
  }

  /// Words with blanks between them, and perhaps brackets behind, as names of types have.
  mutating func words() -> String {
    var words = word()
    while next == UInt8(ascii: " ") {
      skipBlanks()
      let more = word()
      if !more.isEmpty { words += " " + more }
    }
    return skip("[]") ? words + "[]" : words
  }
}
