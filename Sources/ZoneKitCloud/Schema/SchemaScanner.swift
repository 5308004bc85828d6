/// Why a schema in Apple's language cannot be read.
package struct ContainerSchemaError: Error, Hashable, CustomStringConvertible {
  /// The line, from 1.
  package var line: Int
  /// The column in characters, from 1.
  package var column: Int
  /// What is wrong there, and what would be right.
  package var message: String

  /// The place and the message.
  package var description: String { "line \(line), column \(column): \(message)" }
}

/// Divides a text in Apple's schema language into tokens.
struct SchemaScanner {
  /// A token with its place.
  struct Token: Equatable {
    /// The kinds of tokens.
    enum Kind: Equatable {
      /// A keyword or a name.
      case word(String)
      /// A name in quotation marks.
      case quoted(String)
      /// One of `( ) , ; < >`.
      case symbol(Character)
      /// The end of the text.
      case end
    }

    var kind: Kind
    var line: Int
    var column: Int
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var column = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next token.
  mutating func next() throws(ContainerSchemaError) -> Token {
    try skipSpace()
    let (line, column) = (self.line, self.column)
    func token(_ kind: Token.Kind) -> Token { Token(kind: kind, line: line, column: column) }
    guard let byte = peek() else { return token(.end) }
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "<"),
      UInt8(ascii: ">"):
      advance()
      return token(.symbol(Character(Unicode.Scalar(byte))))
    case UInt8(ascii: "\""): return token(.quoted(try quoted()))
    case _ where Self.isOfWord(byte):
      let start = position
      while let byte = peek(), Self.isOfWord(byte) { advance() }
      return token(.word(String(decoding: bytes[start..<position], as: UTF8.self)))
    default:
      let character = String(decoding: bytes[position...].prefix(4), as: UTF8.self).first.map(String.init) ?? ""
      throw ContainerSchemaError(
        line: line, column: column,
        message: "\(character) has no meaning here; names with such characters stand in quotation marks")
    }
  }

  private mutating func quoted() throws(ContainerSchemaError) -> String {
    let (line, column) = (self.line, self.column)
    advance()
    let start = position
    while let byte = peek(), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\n") { advance() }
    guard peek() == UInt8(ascii: "\"") else {
      throw ContainerSchemaError(line: line, column: column, message: "the name has no closing quotation mark")
    }
    defer { advance() }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func skipSpace() throws(ContainerSchemaError) {
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): advance()
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): try skipComment()
      case UInt8(ascii: "/") where peek(1) == byte, UInt8(ascii: "-") where peek(1) == byte:
        while let byte = peek(), byte != UInt8(ascii: "\n") { advance() }
      default: return
      }
    }
  }

  private mutating func skipComment() throws(ContainerSchemaError) {
    let (line, column) = (self.line, self.column)
    advance()
    advance()
    while peek() != UInt8(ascii: "*") || peek(1) != UInt8(ascii: "/") {
      guard peek() != nil else {
        throw ContainerSchemaError(line: line, column: column, message: "the comment is not closed by */")
      }
      advance()
    }
    advance()
    advance()
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  private mutating func advance() {
    let byte = bytes[position]
    position += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      column = 1
    } else if peek().map({ $0 & 0xC0 != 0x80 }) ?? true {
      column += 1
    }
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
}
