/// The part of a body for which a request asks (RFC 9110, 14.1.2).
enum HTTPByteRange: Equatable {
  /// These bytes.
  case part(Range<Int>)
  /// The part begins after the last byte.
  case beyondEnd

  /// Reads the value of the field `Range` for a body of that many bytes. Nil if all bytes are to be sent: the value has
  /// another unit, several parts, or cannot be read.
  init?(_ text: String, of count: Int) {
    let start = "bytes="
    guard text.lowercased().hasPrefix(start) else { return nil }
    let ends = text.dropFirst(start.count).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]) else { return nil }
    switch (first, last) {
    case (nil, nil): return nil
    case (let first?, let last):
      if let last, last < first { return nil }
      self = first < count ? .part(first..<min(count, (last ?? count - 1) + 1)) : .beyondEnd
    case (nil, let length?):
      self = length == 0 || count == 0 ? .beyondEnd : .part(max(0, count - length)..<count)
    }
  }

  /// The number; nil in the optional for an empty text. Nil for a text that is no number.
  private static func number(_ text: Substring) -> Int?? {
    guard !text.isEmpty else { return .some(nil) }
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int32(text)
    else {
      return nil
    }
    return Int(number)
  }
}
