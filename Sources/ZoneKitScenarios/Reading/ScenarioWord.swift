/// One word of a scenario's line.
package struct ScenarioWord: Hashable {
  var text: String
  /// Where it begins, in characters from 1.
  var column: Int
  /// A word in double quotes is never one of the language's own.
  var isQuoted: Bool

  /// The words of a line: blanks divide them, a comma at a word's end stands alone, double quotes keep blanks together,
  /// and `#` starts a comment. Inside quotes a backslash takes the next character as it is, and `\n` is a line's end.
  static func words(of text: some StringProtocol, line: Int) throws(ScenarioError) -> [ScenarioWord] {
    var reader = WordSplitter(characters: Array(text))
    var words: [ScenarioWord] = []
    while let word = try reader.next(line: line) {
      if !word.isQuoted, word.text.count > 1, word.text.last == "," {
        words.append(ScenarioWord(text: String(word.text.dropLast()), column: word.column, isQuoted: false))
        words.append(ScenarioWord(text: ",", column: word.column + word.text.count - 1, isQuoted: false))
      } else {
        words.append(word)
      }
    }
    return words
  }

  /// A text in double quotes that reads as that text.
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

  /// A name as it is where it is a plain word, else in double quotes.
  package static func named(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
          || scalar == "-" || scalar == "_" || scalar == "."
      }
    return isPlain ? text : quoted(text)
  }

  /// One line of these words.
  static func joined(_ words: some Sequence<ScenarioWord>) -> String {
    var line = ""
    for word in words {
      if !line.isEmpty, word.isQuoted || word.text != "," { line += " " }
      line += word.isQuoted ? quoted(word.text) : word.text
    }
    return line
  }
}

/// Takes one word after the other from a line.
private struct WordSplitter {
  let characters: [Character]
  var position = 0

  mutating func next(line: Int) throws(ScenarioError) -> ScenarioWord? {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
    guard position < characters.count, characters[position] != "#" else { return nil }
    let column = position + 1
    if characters[position] == "\"" {
      return ScenarioWord(text: try quoted(line: line), column: column, isQuoted: true)
    }
    var text = ""
    while position < characters.count, !characters[position].isWhitespace, characters[position] != "\"" {
      text.append(characters[position])
      position += 1
    }
    return ScenarioWord(text: text, column: column, isQuoted: false)
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
