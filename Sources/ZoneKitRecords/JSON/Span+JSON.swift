/// Reads parts of canonical JSON text without decoding all of it.
extension Int64 {
  /// The integer with that canonical text: digits without a zero before them, behind a minus if it is negative; nil for any
  /// other text.
  package init?(canonical text: Span<UInt8>) {
    let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
    let first = isNegative ? 1 : 0
    guard first < text.count, text.count - first <= 19, text[first] != UInt8(ascii: "0") || text.count == 1 else {
      return nil
    }
    var magnitude: UInt64 = 0
    for index in first..<text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      // Nineteen digits fit into 64 bits without a sign.
      magnitude = magnitude &* 10 &+ UInt64(digit)
    }
    guard magnitude <= UInt64(Int64.max) + (isNegative ? 1 : 0) else { return nil }
    self = Int64(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
  }
}

extension Span<UInt8> {
  /// The range between the quotes of the text of a string without escapes; nil for any other text.
  package var plainString: Range<Int>? {
    guard count >= 2, self[0] == UInt8(ascii: "\""), endOfPlainText(from: 1) == count - 1,
      self[count - 1] == UInt8(ascii: "\"")
    else { return nil }
    return 1..<count - 1
  }

  /// The string with that JSON text; nil for any other text.
  package var decodedString: String? { (try? JSON(parsing: self))?.string }

  /// The place behind the value at that place: of the first comma or closing bracket behind it that belongs to what is around
  /// it, or the end. Nil if a string, array or object has no end.
  package func endOfValue(from start: Int) -> Int? {
    var place = start
    var depth = 0
    while place < count {
      switch self[place] {
      case UInt8(ascii: "\""):
        guard let end = endOfString(from: place) else { return nil }
        place = end
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return place }
        depth -= 1
        place += 1
      case UInt8(ascii: ",") where depth == 0: return place
      default: place += 1
      }
    }
    return depth == 0 ? place : nil
  }

  /// The place behind the string with the quote at that place; nil if it has no end.
  package func endOfString(from start: Int) -> Int? {
    var place = start + 1
    while true {
      place = endOfPlainText(from: place)
      guard place < count else { return nil }
      if self[place] == UInt8(ascii: "\"") { return place + 1 }
      place += self[place] == UInt8(ascii: "\\") ? 2 : 1
      guard place < count else { return nil }
    }
  }

  /// Whether this is the canonical text of an object all of whose values are strings, integers, Booleans or null. Objects
  /// with other values may have a canonical text too. `visit` gets the key of each member, without quotes, and the range of
  /// its value, up to the first one that is written in another way.
  package func isCanonicalFlatObject(_ visit: (Span<UInt8>, Range<Int>) -> Void = { _, _ in }) -> Bool {
    guard count >= 2, self[0] == UInt8(ascii: "{") else { return false }
    if count == 2 { return self[1] == UInt8(ascii: "}") }
    var position = 1
    var last: Range<Int>?
    while true {
      guard position < count, self[position] == UInt8(ascii: "\"") else { return false }
      let key = position + 1..<endOfPlainText(from: position + 1)
      guard last.map({ extracting($0).comesBefore(extracting(key)) }) ?? true,
        key.upperBound + 1 < count, self[key.upperBound] == UInt8(ascii: "\""),
        self[key.upperBound + 1] == UInt8(ascii: ":"), let end = endOfScalar(from: key.upperBound + 2), end < count
      else { return false }
      visit(extracting(key), key.upperBound + 2..<end)
      last = key
      position = end + 1
      if self[end] == UInt8(ascii: "}") { return position == count }
      guard self[end] == UInt8(ascii: ",") else { return false }
    }
  }

  /// The place behind the string with the quote at that place, all of whose escapes are written in the canonical way; nil if
  /// there is none.
  private func endOfCanonicalString(from start: Int) -> Int? {
    guard start < count, self[start] == UInt8(ascii: "\"") else { return nil }
    var place = start + 1
    while true {
      place = endOfPlainText(from: place)
      guard place < count else { return nil }
      switch self[place] {
      case UInt8(ascii: "\""): return place + 1
      case UInt8(ascii: "\\"):
        guard place + 1 < count else { return nil }
        switch self[place + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
          UInt8(ascii: "r"), UInt8(ascii: "t"):
          place += 2
        default: return nil
        }
      default: return nil
      }
    }
  }

  /// The place behind the value at that place, if it is no array, no object and no number but an integer.
  private func endOfScalar(from start: Int) -> Int? {
    guard start < count else { return nil }
    if self[start] == UInt8(ascii: "\"") { return endOfCanonicalString(from: start) }
    if let end = endOfShortInteger(from: start) { return end }
    var end = start
    while end < count, self[end] != UInt8(ascii: ","), self[end] != UInt8(ascii: "}") { end += 1 }
    let text = extracting(start..<end)
    let isWord = text.isEqual(to: "true") || text.isEqual(to: "false") || text.isEqual(to: "null")
    return isWord || Int64(canonical: text) != nil ? end : nil
  }

  /// The place behind the integer at that place; nil if there is none with a canonical text of at most 18 digits, which always
  /// fits into 64 bits, in front of a comma or a bracket.
  private func endOfShortInteger(from start: Int) -> Int? {
    let first = self[start] == UInt8(ascii: "-") ? start + 1 : start
    var end = first
    while end < count, self[end] &- UInt8(ascii: "0") < 10 { end += 1 }
    guard end > first, end - first <= 18, end < count,
      self[end] == UInt8(ascii: ",") || self[end] == UInt8(ascii: "}"),
      self[first] != UInt8(ascii: "0") || end == start + 1
    else { return nil }
    return end
  }

  /// Whether the bytes are those of a text.
  @inline(__always)
  package func isEqual(to text: String) -> Bool {
    // The count of a literal is a constant, its bytes are copied at each comparison.
    text.utf8.count == count && isEqual(to: text.utf8.span)
  }
}

extension String {
  /// The text of those bytes; nil if they are no UTF-8.
  package init?(utf8 bytes: Span<UInt8>) {
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    self = String(copying: text)
  }
}

extension [UInt8] {
  /// Appends the string with the quote at that place of a text, without quotes and escapes. Returns the place behind it; nil
  /// if there is no string.
  package mutating func appendUnescaped(_ text: Span<UInt8>, from start: Int) -> Int? {
    guard start < text.count, text[start] == UInt8(ascii: "\"") else { return nil }
    var place = start + 1
    while true {
      appendPlain(text, from: &place)
      guard place + 1 < text.count || (place < text.count && text[place] == UInt8(ascii: "\"")) else { return nil }
      switch text[place] {
      case UInt8(ascii: "\""): return place + 1
      case UInt8(ascii: "\\"):
        var scanner = JSONScanner()
        scanner.position = place
        guard (try? scanner.escape(in: text)) != nil else { return nil }
        append(contentsOf: scanner.scratch)
        place = scanner.position
      default: return nil
      }
    }
  }

  /// Appends the text from a place on, up to a quote, a control character or an escape other than those of a quote and a
  /// backslash. JSON in a string has so many of these two that whole words are no faster than bytes.
  private mutating func appendPlain(_ text: Span<UInt8>, from place: inout Int) {
    append(addingCapacity: text.count - place) { output in
      while place < text.count {
        let byte = text[place]
        if byte == UInt8(ascii: "\\") {
          guard place + 1 < text.count else { return }
          let escaped = text[place + 1]
          guard escaped == UInt8(ascii: "\"") || escaped == byte else { return }
          output.append(escaped)
          place += 2
        } else {
          if byte == UInt8(ascii: "\"") || byte < 0x20 { return }
          output.append(byte)
          place += 1
        }
      }
    }
  }
}
