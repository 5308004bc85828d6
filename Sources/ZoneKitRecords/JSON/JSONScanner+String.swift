extension JSONScanner {
  /// The value of the string that starts with the next byte, a quote.
  mutating func stringValue(in bytes: Span<UInt8>) throws(JSONError) -> JSON {
    let start = position
    let string = try string(in: bytes)
    // An escape is longer than what it stands for.
    guard isExact, position - start - 2 > string.utf8.count else { return .string(string) }
    var written: [UInt8] = []
    written.appendJSONString(string)
    guard !bytes.extracting(start..<position).isEqual(to: written.span) else { return .string(string) }
    return .verbatim(JSON.Verbatim(text: text(start, in: bytes), string: string, number: nil))
  }

  /// The text from a place that was read already.
  func text(_ start: Int, in bytes: Span<UInt8>) -> String {
    var text: [UInt8] = []
    text.append(copying: bytes.extracting(start..<position))
    return String(decoding: text, as: UTF8.self)
  }

  /// The string that starts with the next byte, a quote.
  mutating func string(in bytes: Span<UInt8>) throws(JSONError) -> String {
    let start = position + 1
    let end = bytes.endOfPlainText(from: start)
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
      return try escapedString(from: start, in: bytes)
    }
    let text = try text(start, end, in: bytes)
    position = end + 1
    return text
  }

  private mutating func escapedString(from start: Int, in bytes: Span<UInt8>) throws(JSONError) -> String {
    scratch.removeAll(keepingCapacity: true)
    position = start
    while true {
      let end = bytes.endOfPlainText(from: position)
      // Each run is checked separately: an escape cannot complete a broken sequence.
      try checkUTF8(position, end, in: bytes)
      scratch.append(copying: bytes.extracting(position..<end))
      position = end
      guard position < bytes.count else { throw failure("expected '\"' to end a string, found the end", in: bytes) }
      switch bytes[position] {
      case UInt8(ascii: "\\"):
        try escape(in: bytes)
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: scratch, as: UTF8.self)
      default:
        throw failure("expected a control character in a string to be escaped, found \(found(in: bytes))", in: bytes)
      }
    }
  }

  /// Appends what the escape stands for that starts with the next byte, a backslash.
  mutating func escape(in bytes: Span<UInt8>) throws(JSONError) {
    let backslash = position
    position += 1
    guard position < bytes.count else { throw failure("expected an escape after '\\', found the end", in: bytes) }
    switch bytes[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(bytes[position])
    case UInt8(ascii: "b"): scratch.append(0x08)
    case UInt8(ascii: "f"): scratch.append(0x0C)
    case UInt8(ascii: "n"): scratch.append(0x0A)
    case UInt8(ascii: "r"): scratch.append(0x0D)
    case UInt8(ascii: "t"): scratch.append(0x09)
    case UInt8(ascii: "u"): return try unicodeEscape(from: backslash, in: bytes)
    default:
      throw failure("expected one of \" \\ / b f n r t u after '\\', found \(found(in: bytes))", in: bytes)
    }
    position += 1
  }

  /// Appends the scalar of `\uXXXX` or of a surrogate pair. The next byte is the first `u`.
  private mutating func unicodeEscape(from backslash: Int, in bytes: Span<UInt8>) throws(JSONError) {
    position += 1
    let unit = try hexadecimalUnit(in: bytes)
    if let scalar = Unicode.Scalar(unit) {
      scratch.append(contentsOf: String(scalar).utf8)
      return
    }
    guard unit < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { throw failure("expected a pair of surrogates, found one alone", at: backslash, in: bytes) }
    position += 2
    let low = try hexadecimalUnit(in: bytes)
    guard 0xDC00..<0xE000 ~= low, let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) else {
      throw failure("expected a pair of surrogates, found one alone", at: backslash, in: bytes)
    }
    scratch.append(contentsOf: String(scalar).utf8)
  }

  private mutating func hexadecimalUnit(in bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count, let digit = Hexadecimal.value(of: bytes[position]) else {
        throw failure("expected four hexadecimal digits after '\\u', found \(found(in: bytes))", in: bytes)
      }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }

  private func checkUTF8(_ start: Int, _ end: Int, in bytes: Span<UInt8>) throws(JSONError) {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.extracting(start..<end))
    } catch {
      throw invalidUTF8(error, from: start, in: bytes)
    }
  }

  private func text(_ start: Int, _ end: Int, in bytes: Span<UInt8>) throws(JSONError) -> String {
    do throws(UTF8.ValidationError) {
      return String(copying: try UTF8Span(validating: bytes.extracting(start..<end)))
    } catch {
      throw invalidUTF8(error, from: start, in: bytes)
    }
  }

  private func invalidUTF8(_ error: UTF8.ValidationError, from start: Int, in bytes: Span<UInt8>) -> JSONError {
    let offset = start + error.byteOffsets.lowerBound
    let byte = String(bytes[offset], radix: 16, uppercase: true)
    return failure("expected UTF-8 in a string, found byte 0x\(byte)", at: offset, in: bytes)
  }
}
