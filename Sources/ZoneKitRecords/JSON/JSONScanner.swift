/// Reads a document once from left to right. Its methods take the bytes at every call, because a span cannot be stored.
struct JSONScanner {
  /// The next byte to read.
  var position = 0
  /// The buffer for strings with escapes. It is allocated once per document.
  var scratch: [UInt8] = []
  /// Whether the texts of numbers and strings are kept that would be written in another way.
  var isExact = false
  /// The deepest nesting of arrays and objects.
  var depthLimit = JSON.depthLimit

  /// The value in the bytes.
  mutating func document(in bytes: Span<UInt8>) throws(JSONError) -> JSON {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      throw failure("expected a value, found a byte order mark", in: bytes)
    }
    skipSpace(in: bytes)
    let value = try value(in: bytes, depth: 0)
    skipSpace(in: bytes)
    guard position == bytes.count else {
      throw failure("expected the end of the document, found \(found(in: bytes))", in: bytes)
    }
    return value
  }

  /// The value that starts at the next byte, inside of that many arrays and objects.
  mutating func value(in bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSON {
    guard position < bytes.count else { throw failure("expected a value, found the end", in: bytes) }
    switch bytes[position] {
    case UInt8(ascii: "\""): return try stringValue(in: bytes)
    case UInt8(ascii: "{"): return try object(in: bytes, depth: depth)
    case UInt8(ascii: "["): return try array(in: bytes, depth: depth)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(in: bytes)
    case UInt8(ascii: "t"): return try literal("true", .bool(true), in: bytes)
    case UInt8(ascii: "f"): return try literal("false", .bool(false), in: bytes)
    case UInt8(ascii: "n"): return try literal("null", .null, in: bytes)
    default: throw failure("expected a value, found \(found(in: bytes))", in: bytes)
    }
  }

  private mutating func object(in bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSON {
    try enter(depth, in: bytes)
    var members: [JSON.Member] = []
    if skip(UInt8(ascii: "}"), in: bytes) { return .object(members) }
    members.reserveCapacity(4)
    while true {
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw failure("expected a name in quotes, found \(found(in: bytes))", in: bytes)
      }
      let key = try string(in: bytes)
      skipSpace(in: bytes)
      guard skip(UInt8(ascii: ":"), in: bytes) else {
        throw failure("expected ':' after a name, found \(found(in: bytes))", in: bytes)
      }
      members.append(JSON.Member(key, try value(in: bytes, depth: depth + 1)))
      skipSpace(in: bytes)
      if skip(UInt8(ascii: ","), in: bytes) { continue }
      if skip(UInt8(ascii: "}"), in: bytes) { return .object(members) }
      throw failure("expected ',' or '}' after a member, found \(found(in: bytes))", in: bytes)
    }
  }

  private mutating func array(in bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSON {
    try enter(depth, in: bytes)
    var elements: [JSON] = []
    if skip(UInt8(ascii: "]"), in: bytes) { return .array(elements) }
    while true {
      elements.append(try value(in: bytes, depth: depth + 1))
      skipSpace(in: bytes)
      if skip(UInt8(ascii: ","), in: bytes) { continue }
      if skip(UInt8(ascii: "]"), in: bytes) { return .array(elements) }
      throw failure("expected ',' or ']' after an element, found \(found(in: bytes))", in: bytes)
    }
  }

  /// Skips an opening bracket and the whitespace after it.
  private mutating func enter(_ depth: Int, in bytes: Span<UInt8>) throws(JSONError) {
    guard depth < depthLimit else {
      throw failure("expected at most \(depthLimit) nested arrays and objects, found one more", in: bytes)
    }
    position += 1
    skipSpace(in: bytes)
  }

  private mutating func literal(_ text: String, _ value: JSON, in bytes: Span<UInt8>) throws(JSONError) -> JSON {
    for byte in text.utf8 {
      guard position < bytes.count, bytes[position] == byte else {
        throw failure("expected '\(text)', found \(found(in: bytes))", in: bytes)
      }
      position += 1
    }
    return value
  }

  /// Skips `byte` and the whitespace after it, if it is next.
  private mutating func skip(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
    guard take(byte, in: bytes) else { return false }
    skipSpace(in: bytes)
    return true
  }

  /// Skips `byte`, if it is next.
  mutating func take(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Skips those bytes, if they are next.
  mutating func take(_ text: [UInt8], in bytes: Span<UInt8>) -> Bool {
    guard bytes.count - position >= text.count else { return false }
    for index in text.indices where bytes[position + index] != text[index] { return false }
    position += text.count
    return true
  }

  private mutating func skipSpace(in bytes: Span<UInt8>) {
    while position < bytes.count, bytes[position] <= 0x20 {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// The error at `position`.
  func failure(_ message: String, in bytes: Span<UInt8>) -> JSONError {
    failure(message, at: position, in: bytes)
  }

  /// The error at `offset`.
  func failure(_ message: String, at offset: Int, in bytes: Span<UInt8>) -> JSONError {
    var line = 1
    for index in 0..<offset where bytes[index] == 0x0A { line += 1 }
    return JSONError(offset: offset, line: line, message: message)
  }

  /// The next byte as a text for errors.
  func found(in bytes: Span<UInt8>) -> String {
    guard position < bytes.count else { return "the end" }
    let byte = bytes[position]
    guard byte > 0x20, byte < 0x7F else { return "byte 0x" + String(byte, radix: 16, uppercase: true) }
    return "'" + String(Unicode.Scalar(byte)) + "'"
  }
}
