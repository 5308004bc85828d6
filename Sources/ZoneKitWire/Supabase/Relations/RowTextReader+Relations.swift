import ZoneKitRelations
import ZoneKitTables

extension RowTextReader {
  /// The most steps into a JSON value. Each is a call within the one before when it is evaluated.
  private static var stepLimit: Int { 16 }

  /// The steps into a JSON value: `->name`, `->>name` and `->0`.
  mutating func path() throws(RowError) -> [RelationField.Step] {
    var steps: [RelationField.Step] = []
    while startsWith("->") {
      guard steps.count < Self.stepLimit else {
        throw failure(expecting: "at most \(Self.stepLimit) steps into a JSON value")
      }
      let isText = startsWith("->>")
      _ = skip(isText ? "->>" : "->")
      steps.append(RelationField.Step(try key(), isText: isText))
    }
    return steps
  }

  /// A member's name: in quotes, or up to a mark.
  private mutating func key() throws(RowError) -> String {
    if next == UInt8(ascii: "\"") { return try name() }
    let sign = skip("-") ? "-" : ""
    return sign + (try name())
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
