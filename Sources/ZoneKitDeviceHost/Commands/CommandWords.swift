/// The words of a command line, read from left to right.
///
/// Spaces separate words. Double quotes keep spaces; inside them a backslash takes the next character literally.
package struct CommandWords {
  private let words: [String]
  private var position = 0

  /// Splits a line into words. Throws if a quote is not closed.
  package init(_ line: String) throws(AppRefusal) {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var characters = line.makeIterator()
    while let character = characters.next() {
      switch character {
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case "\\" where isQuoted:
        guard let next = characters.next() else { throw Self.unclosed }
        word = (word ?? "") + String(next)
      case _ where character.isWhitespace && !isQuoted:
        if let finished = word { words.append(finished) }
        word = nil
      default:
        word = (word ?? "") + String(character)
      }
    }
    guard !isQuoted else { throw Self.unclosed }
    if let word { words.append(word) }
    self.words = words
  }

  private static let unclosed = AppRefusal("a quote is not closed; end the text with \"")

  /// Removes and returns the next word; nil at the end.
  package mutating func next() -> String? {
    guard position < words.count else { return nil }
    position += 1
    return words[position - 1]
  }

  /// Removes and returns the next word. At the end it throws an error that names what was expected.
  package mutating func next(_ expected: String) throws(AppRefusal) -> String {
    guard let word = next() else { throw AppRefusal("the command ends too early; expected \(expected)") }
    return word
  }

  /// Throws if words are left.
  package func end() throws(AppRefusal) {
    guard position < words.count else { return }
    let tip = position > 0 ? "; text with blanks goes in double quotes" : ""
    throw AppRefusal("unexpected \"\(words[position])\": the command is complete before it\(tip)")
  }
}
