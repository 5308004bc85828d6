/// Primitives for writing JSON without a tree.
extension [UInt8] {
  /// Appends the bytes of a span in one copy.
  package mutating func append(copying bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return }
    append(addingCapacity: bytes.count) { output in
      for index in bytes.indices { output.append(bytes[index]) }
    }
  }

  /// Appends text without escaping, for literals of JSON or HTTP.
  package mutating func append(literal text: String) {
    append(contentsOf: text.utf8)
  }

  /// Appends a JSON string with its quotes, escaping only the quote, the backslash and control characters.
  package mutating func appendJSONString(_ text: String) {
    appendJSONString(utf8: text.utf8.span)
  }

  /// Appends a JSON string with its quotes from bytes that must already be UTF-8.
  package mutating func appendJSONString(utf8 bytes: ArraySlice<UInt8>) {
    appendJSONString(utf8: bytes.span)
  }

  /// Appends a JSON string with its quotes from bytes that must already be UTF-8.
  package mutating func appendJSONString(utf8 bytes: Span<UInt8>) {
    append(UInt8(ascii: "\""))
    var start = 0
    while true {
      let end = bytes.endOfPlainText(from: start)
      append(copying: bytes.extracting(start..<end))
      guard end < bytes.count else { break }
      appendEscape(bytes[end])
      start = end + 1
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends the escape of one byte, in the spelling of RFC 8785, 3.2.2.2.
  private mutating func appendEscape(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    default:
      append(literal: "u00")
      append(UInt8(ascii: "0") + byte >> 4)
      let digit = byte & 0xF
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// Appends an integer in decimal.
  package mutating func appendDecimal(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var first = 20
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
    append(copying: digits.span.extracting(first..<20))
  }

  /// Appends the shortest text from which the same Double is read, always with a point or an exponent, so that it
  /// cannot be taken for an integer. A number that is not finite becomes `null`, as in ECMA-262.
  package mutating func appendJSONNumber(_ value: Double) {
    append(literal: value.isFinite ? value.description : "null")
  }
}
