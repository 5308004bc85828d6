/// Primitives for writing text into memory whose size is known before, so that it is checked once for many pieces.
extension OutputSpan<UInt8> {
  /// Appends the bytes of a span.
  package mutating func append(copying bytes: Span<UInt8>) {
    for index in bytes.indices { append(bytes[index]) }
  }

  /// Appends text without escaping, for literals of JSON.
  package mutating func append(literal text: String) { append(copying: text.utf8.span) }

  /// Appends the text of an identifier, in 36 bytes; the canonical one unless it is to be in upper case.
  package mutating func append(_ id: UUID, isUppercase: Bool = false) {
    for index in 0..<16 {
      if index == 4 || index == 6 || index == 8 || index == 10 { append(UInt8(ascii: "-")) }
      let word = index < 8 ? id.high : id.low
      let byte = UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (index & 7)))
      append(Hexadecimal.digit(byte >> 4, isUppercase: isUppercase))
      append(Hexadecimal.digit(byte & 0xF, isUppercase: isUppercase))
    }
  }

  /// Appends a time in ISO 8601, in UTC with milliseconds, without the `Z` at its end, in 23 bytes.
  package mutating func appendISO8601(_ time: WallTime) { append(copying: time.iso8601Text.span) }
}
