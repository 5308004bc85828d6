/// A word of a line.
package struct ScenarioWord: Hashable {
  var text: String
  /// The column of its first character, from 1.
  var column: Int
  /// Whether the word is in double quotes. A quoted word is never a keyword.
  var isQuoted: Bool
  /// Whether no space separates it from the word before it.
  var isAttached = false

  /// Splits a line into words. Spaces separate words, a comma at the end of a word is a word of its own, double quotes
  /// keep spaces, and `#` starts a comment. Inside quotes a backslash takes the next character literally, and `\n` is a
  /// line feed.
  static func words(of text: some StringProtocol, line: Int) throws(ScenarioError) -> [ScenarioWord] {
    var reader = WordSplitter(characters: Array(text))
    var words: [ScenarioWord] = []
    while let word = try reader.next(line: line) {
      if !word.isQuoted, word.text.count > 1, word.text.last == "," {
        var item = word
        item.text.removeLast()
        words.append(item)
        words.append(
          ScenarioWord(text: ",", column: word.column + word.text.count - 1, isQuoted: false, isAttached: true))
      } else {
        words.append(word)
      }
    }
    return words
  }

  /// The text in double quotes, such that the parser reads the same text.
  static func quoted(_ text: String) -> String {
    var quoted = ""
    for character in text {
      switch character {
      case "\"", "\\": quoted += "\\\(character)"
      case "\n", "\r\n", "\r": quoted += "\\n"
      default: quoted.append(character)
      }
    }
    return "\"\(quoted)\""
  }

  /// The name as it is if it is a plain word, otherwise in double quotes.
  package static func named(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
          || scalar == "-" || scalar == "_" || scalar == "."
      }
    return isPlain ? text : quoted(text)
  }

  /// A line of these words.
  static func joined(_ words: some Sequence<ScenarioWord>) -> String {
    var line = ""
    for word in words {
      let isMark = word.isAttached || (!word.isQuoted && word.text == ",")
      if !line.isEmpty, !isMark { line += " " }
      line += word.isQuoted ? quoted(word.text) : word.text
    }
    return line
  }
}

/// Splits a line into words.
private struct WordSplitter {
  let characters: [Character]
  var position = 0

  mutating func next(line: Int) throws(ScenarioError) -> ScenarioWord? {
    let end = position
    while position < characters.count, characters[position].isWhitespace { position += 1 }
    let isAttached = end > 0 && position == end
    guard position < characters.count, characters[position] != "#" else { return nil }
    let column = position + 1
    if characters[position] == "\"" {
      return ScenarioWord(text: try quoted(line: line), column: column, isQuoted: true, isAttached: isAttached)
    }
    var text = ""
    while position < characters.count, !characters[position].isWhitespace, characters[position] != "\"" {
      text.append(characters[position])
      position += 1
    }
    return ScenarioWord(text: text, column: column, isQuoted: false, isAttached: isAttached)
  }

  private mutating func quoted(line: Int) throws(ScenarioError) -> String {
    let column = position + 1
    var text = ""
    position += 1
    while position < characters.count {
      let character = characters[position]
      position += 1
      switch character {
      case "\"": return text
      case "\\" where position < characters.count:
        text.append(characters[position] == "n" ? "\n" : characters[position])
        position += 1
      default: text.append(character)
      }
    }
    throw ScenarioError(line: line, column: column, "the quote is not closed; end the text with \"")
  }
}
