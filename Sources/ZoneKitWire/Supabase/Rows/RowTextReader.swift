import ZoneKitRecords
import ZoneKitTables

/// Reads the parts of a query's text from left to right: names, values in quotes or not, and marks.
struct RowTextReader {
  private let bytes: [UInt8]
  private var position = 0
  /// What the text is, for errors: `filter`, `order` or `select`.
  private let kind: String

  /// A reader at the beginning of that text.
  init(_ text: String, of kind: String) {
    bytes = Array(text.utf8)
    self.kind = kind
  }

  /// Whether the whole text is read.
  var isAtEnd: Bool { position == bytes.count }

  /// The next byte; nil at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// The error at this place.
  func failure(expecting expected: String) -> RowError {
    let text = String(decoding: bytes, as: UTF8.self)
    let found = next.map { "unexpected \"\(String(decoding: [$0], as: UTF8.self))\"" } ?? "unexpected end of input"
    return RowError(
      .unreadableQuery, "\"failed to parse \(kind) (\(text))\" (line 1, column \(position + 1))",
      details: "\(found), expecting \(expected)")
  }

  /// Skips that byte if it is next.
  mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  /// Skips those words if they are next.
  mutating func skip(_ words: String) -> Bool {
    guard bytes[position...].starts(with: words.utf8) else { return false }
    position += words.utf8.count
    return true
  }

  /// Skips those words if they are next, and that byte follows.
  mutating func skip(_ words: String, before byte: Unicode.Scalar) -> Bool {
    guard bytes[position...].starts(with: Array(words.utf8) + [UInt8(ascii: byte)]) else { return false }
    return skip(words)
  }

  /// Skips blanks.
  mutating func skipBlanks() { while skip(" ") {} }

  /// Skips that byte. Throws if it is not next.
  mutating func require(_ byte: Unicode.Scalar) throws(RowError) {
    guard skip(byte) else { throw failure(expecting: "\"\(byte)\"") }
  }

  /// A name: letters, digits and underscores, or anything in quotes.
  mutating func name() throws(RowError) -> String {
    if next == UInt8(ascii: "\"") { return try quoted() }
    let name = run { Self.isNameByte($0) }
    guard !name.isEmpty else { throw failure(expecting: "the name of a column") }
    return name
  }

  /// A word in lower case, of letters and underscores.
  mutating func word() -> String {
    run { Self.isNameByte($0) }.lowercased()
  }

  /// The rest of the text.
  mutating func rest() -> String { run { _ in true } }

  /// A value of a list or of a condition within brackets: in quotes, or up to a comma or a closing bracket.
  mutating func value() throws(RowError) -> String {
    if next == UInt8(ascii: "\"") { return try quoted() }
    return run { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ")") }
  }

  /// The names of a list with commas between them.
  static func names(_ text: String, of kind: String) throws(RowError) -> [String] {
    var reader = RowTextReader(text, of: kind)
    var names: [String] = []
    repeat {
      reader.skipBlanks()
      names.append(try reader.name())
      reader.skipBlanks()
    } while reader.skip(",")
    guard reader.isAtEnd else { throw reader.failure(expecting: "\",\"") }
    return names
  }

  /// What stands behind a part of an order: whether the greatest comes first, and whether nulls do, if it is said.
  mutating func direction() -> (isDescending: Bool, nullsFirst: Bool?) {
    let isDescending = skip(".desc")
    if !isDescending { _ = skip(".asc") }
    return (isDescending, skip(".nullsfirst") ? true : skip(".nullslast") ? false : nil)
  }

  /// Text from a brace to the one that belongs to it. Braces in quotes do not count.
  mutating func braced() throws(RowError) -> String {
    let start = position
    var depth = 0
    var isQuoted = false
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\\"): position = min(position + 1, bytes.count)
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "{") where !isQuoted: depth += 1
      case UInt8(ascii: "}") where !isQuoted:
        depth -= 1
        if depth == 0 { return String(decoding: bytes[start..<position], as: UTF8.self) }
      default: break
      }
    }
    throw failure(expecting: "\"}\"")
  }

  /// Text in quotes. A backslash stands before a character that counts as itself.
  private mutating func quoted() throws(RowError) -> String {
    var text: [UInt8] = []
    position += 1
    while let byte = next, byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") { position += 1 }
      guard let character = next else { break }
      text.append(character)
      position += 1
    }
    try require("\"")
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func run(_ isPart: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = next, isPart(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Whether a name outside quotes may have that byte.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
