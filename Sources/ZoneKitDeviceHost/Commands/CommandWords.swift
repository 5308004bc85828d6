/// The words of a command line, read from left to right.
///
/// Spaces separate words. Double quotes keep spaces; inside them a backslash takes the next character literally.
package struct CommandWords {
  /// A word, or a part of one.
  package struct Word: Hashable, Sendable {
    /// The text without its quotes.
    package var text: String
    /// Whether a part of it is in quotes. Quoted text is never a keyword.
    package var isQuoted: Bool

    /// A word.
    package init(_ text: String, isQuoted: Bool = false) {
      self.text = text
      self.isQuoted = isQuoted
    }

    /// The word as a user could write it, in quotes if it was.
    package var source: String {
      guard isQuoted else { return text }
      return "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
  }

  /// A character of a word.
  private struct Letter {
    var character: Character
    var isQuoted: Bool
  }

  /// A word with its quotes' places. Quotes may enclose nothing.
  private struct Spelling {
    var letters: [Letter] = []
    var isQuoted = false

    var word: Word { Word(String(letters.map(\.character)), isQuoted: isQuoted) }

    /// The parts between occurrences of a character outside quotes.
    func divided(at mark: Character) -> [Spelling] {
      letters.split(omittingEmptySubsequences: false) { !$0.isQuoted && $0.character == mark }.map { part in
        Spelling(letters: Array(part), isQuoted: part.contains(where: \.isQuoted))
      }
    }
  }

  private let words: [Spelling]
  private var position = 0

  /// Splits a line into words. Throws if a quote is not closed.
  package init(_ line: String) throws(AppRefusal) {
    var words: [Spelling] = []
    var word: Spelling?
    var isQuoted = false
    var characters = line.makeIterator()
    while let character = characters.next() {
      switch character {
      case "\"":
        isQuoted.toggle()
        word = word ?? Spelling()
        word?.isQuoted = true
      case "\\" where isQuoted:
        guard let next = characters.next() else { throw Self.unclosed }
        word?.letters.append(Letter(character: next, isQuoted: true))
      case _ where character.isWhitespace && !isQuoted:
        if let finished = word { words.append(finished) }
        word = nil
      default:
        word = word ?? Spelling()
        word?.letters.append(Letter(character: character, isQuoted: isQuoted))
      }
    }
    guard !isQuoted else { throw Self.unclosed }
    if let word { words.append(word) }
    self.words = words
  }

  private static let unclosed = AppRefusal("a quote is not closed; end the text with \"")

  /// The next word, which stays; nil at the end.
  package var upcoming: Word? { position < words.count ? words[position].word : nil }

  /// Removes and returns the next word; nil at the end.
  package mutating func next() -> String? { take()?.word.text }

  /// Removes and returns the next word. At the end it throws an error that names what was expected.
  package mutating func next(_ expected: String) throws(AppRefusal) -> String { try nextWord(expected).text }

  /// The same, with the information whether the word is quoted.
  package mutating func nextWord(_ expected: String) throws(AppRefusal) -> Word { try spelling(expected).word }

  /// Removes the next word and returns its items, which commas outside quotes separate, each with its parts, which
  /// colons outside quotes separate: `"Ben":20,me` has two items, the first of two parts.
  package mutating func nextList(_ expected: String) throws(AppRefusal) -> [[Word]] {
    try spelling(expected).divided(at: ",").map { $0.divided(at: ":").map(\.word) }
  }

  /// `FIELD=VALUE`: what a command gives a field.
  package struct Assignment: Hashable, Sendable {
    /// The name of the field.
    package var name: String
    /// The value as it was typed.
    package var value: Word
    /// The values in brackets, as in `[a,b]`; nil for a value without brackets.
    package var list: [Word]?

    /// An assignment of that value.
    package init(_ name: String, _ value: Word, list: [Word]? = nil) {
      self.name = name
      self.value = value
      self.list = list
    }
  }

  /// Removes the next word, which has to be `FIELD=VALUE`. Commas outside quotes separate the values in brackets.
  package mutating func nextAssignment(_ expected: String) throws(AppRefusal) -> Assignment {
    let word = try spelling(expected)
    guard let mark = word.letters.firstIndex(where: { !$0.isQuoted && $0.character == "=" }), mark > 0 else {
      throw AppRefusal("\"\(word.word.text)\" gives no field a value; expected FIELD=VALUE, such as title=\"Oat milk\"")
    }
    let name = String(word.letters[..<mark].map(\.character))
    let letters = Array(word.letters[(mark + 1)...])
    let value = Spelling(
      letters: letters, isQuoted: letters.contains(where: \.isQuoted) || letters.isEmpty && word.isQuoted)
    guard !letters.isEmpty || word.isQuoted else {
      throw AppRefusal("\(name)= has no value; \(name)=\"\" is an empty text, and \(name)=none removes the field")
    }
    guard let first = letters.first, !first.isQuoted, first.character == "[" else {
      return Assignment(name, value.word)
    }
    guard let last = letters.last, letters.count > 1, !last.isQuoted, last.character == "]" else {
      throw AppRefusal(
        "the list of \(name) does not end; expected \(name)=[a,b], with texts with blanks in double quotes")
    }
    let inner = Array(letters.dropFirst().dropLast())
    let list = Spelling(letters: inner, isQuoted: inner.contains(where: \.isQuoted)).divided(at: ",").map(\.word)
    return Assignment(name, value.word, list: inner.isEmpty ? [] : list)
  }

  /// Removes the next word if it is that word without quotes. Returns whether it was.
  package mutating func take(_ keyword: String) -> Bool {
    guard upcoming == Word(keyword) else { return false }
    position += 1
    return true
  }

  /// Throws if words are left.
  package func end() throws(AppRefusal) {
    guard let next = upcoming else { return }
    let tip = position > 0 ? "; text with blanks goes in double quotes" : ""
    throw AppRefusal("unexpected \"\(next.text)\": the command is complete before it\(tip)")
  }

  private mutating func take() -> Spelling? {
    guard position < words.count else { return nil }
    position += 1
    return words[position - 1]
  }

  private mutating func spelling(_ expected: String) throws(AppRefusal) -> Spelling {
    guard let next = take() else { throw AppRefusal("the command ends too early; expected \(expected)") }
    return next
  }
}
