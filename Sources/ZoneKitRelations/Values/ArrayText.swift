/// Arrays of one dimension as PostgreSQL reads and writes them: `{1,2,NULL,"a b"}`.
enum ArrayText {
  static func text(_ elements: [Datum], of type: DatumType) -> String {
    "{" + elements.map { $0 == .null ? "NULL" : quoted(type.text(of: $0)) }.joined(separator: ",") + "}"
  }

  private static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.lowercased() != "null"
      && text.utf8.allSatisfy { !"{}\",\\".utf8.contains($0) && !$0.isSpace }
    guard !isPlain else { return text }
    let escaped = text.utf8.flatMap { "\\\"".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
    return "\"" + String(decoding: escaped, as: UTF8.self) + "\""
  }

  static func elements(_ text: String, of type: DatumType, now: Int64) throws(SQLFailure) -> [Datum] {
    var reader = Reader(text)
    var elements: [Datum] = []
    for word in try reader.words() {
      elements.append(try word.map { (word) throws(SQLFailure) in try type.datum(word, now: now) } ?? .null)
    }
    return elements
  }

  private struct Reader {
    private let text: String
    private var rest: Substring.UTF8View

    init(_ text: String) {
      self.text = text
      rest = text.utf8.trimmed()
    }

    /// The texts of the elements; nil for a null.
    mutating func words() throws(SQLFailure) -> [String?] {
      guard rest.first == UInt8(ascii: "{") else {
        throw malformed("Array value must start with \"{\" or dimension information.")
      }
      rest = rest.dropFirst()
      skipBlanks()
      var words: [String?] = []
      if rest.first == UInt8(ascii: "}") {
        rest = rest.dropFirst()
      } else {
        repeat { words.append(try word()) } while try goesOn()
      }
      guard rest.isEmpty else { throw malformed("Junk after closing right brace.") }
      return words
    }

    /// Passes a comma or the closing brace. Returns whether it was a comma.
    private mutating func goesOn() throws(SQLFailure) -> Bool {
      skipBlanks()
      let mark = rest.first
      rest = rest.dropFirst()
      switch mark {
      case UInt8(ascii: ","): return true
      case UInt8(ascii: "}"): return false
      case nil: throw malformed("Unexpected end of input.")
      default: throw malformed("Unexpected array element.")
      }
    }

    private mutating func word() throws(SQLFailure) -> String? {
      skipBlanks()
      if rest.first == UInt8(ascii: "{") {
        throw SQLFailure(.invalidText, "arrays of more than one dimension are not supported: \"\(text)\"")
      }
      guard rest.first == UInt8(ascii: "\"") else { return try plainWord() }
      rest = rest.dropFirst()
      var bytes: [UInt8] = []
      while let byte = rest.first, byte != UInt8(ascii: "\"") {
        bytes.append(try character())
      }
      guard !rest.isEmpty else { throw malformed("Unexpected end of input.") }
      rest = rest.dropFirst()
      return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func plainWord() throws(SQLFailure) -> String? {
      var bytes: [UInt8] = []
      var kept = 0
      var isEscaped = false
      while let byte = rest.first, !",}".utf8.contains(byte) {
        if "{\"".utf8.contains(byte) {
          throw malformed("Unexpected \"\(String(decoding: [byte], as: UTF8.self))\" character.")
        }
        isEscaped = isEscaped || byte == UInt8(ascii: "\\")
        bytes.append(try character())
        if byte == UInt8(ascii: "\\") || !byte.isSpace { kept = bytes.count }
      }
      let word = String(decoding: bytes.prefix(kept), as: UTF8.self)
      guard kept > 0 else {
        throw malformed(rest.isEmpty ? "Unexpected end of input." : "Unexpected \"\(mark)\" character.")
      }
      return !isEscaped && word.lowercased() == "null" ? nil : word
    }

    private var mark: String { String(decoding: rest.prefix(1), as: UTF8.self) }

    /// The next character; that behind a backslash counts as it is.
    private mutating func character() throws(SQLFailure) -> UInt8 {
      if rest.first == UInt8(ascii: "\\") { rest = rest.dropFirst() }
      guard let byte = rest.first else { throw malformed("Unexpected end of input.") }
      rest = rest.dropFirst()
      return byte
    }

    private mutating func skipBlanks() { rest = rest.drop { $0.isSpace } }

    private func malformed(_ detail: String) -> SQLFailure {
      SQLFailure(.invalidText, "malformed array literal: \"\(text)\"", detail: detail)
    }
  }
}
