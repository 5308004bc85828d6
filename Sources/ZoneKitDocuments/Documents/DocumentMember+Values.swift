import ZoneKitRecords

extension DocumentMember {
  /// The value of the member in a field; nil if the JSON value is none.
  func value(_ json: JSON) -> FieldValue? {
    let value: FieldValue? =
      switch kind {
      case .text, .day, .choice, .documentID: json.string.map { .string($0) }
      case .time: json.string.flatMap(WallTime.init(documentTime:)).map { .timestamp($0) }
      case .integer: json.wholeNumber.map { .int64($0) }
      // The zero with a sign equals the one without, and would be another text.
      case .number: json.number.map { .double($0 == 0 ? 0 : $0) }
      case .boolean: json.bool.map { .int64($0 ? 1 : 0) }
      case .items: nil
      }
    return value.flatMap { accepts($0) ? $0 : nil }
  }

  /// Whether the member can have the value with that JSON text, where times are milliseconds.
  func accepts(stored text: Span<UInt8>) -> Bool {
    switch kind {
    case .time: return Int64(canonical: text).map { WallTime.isOfDocument(WallTime(milliseconds: $0)) } ?? false
    case .integer(let range): return Int64(canonical: text).map { range.contains($0) } ?? false
    case .number(let range): return (try? JSON(parsing: text))?.number.map { range.contains($0) } ?? false
    case .boolean: return text.isEqual(to: "1") || text.isEqual(to: "0")
    case .items: return false
    case .text, .day, .choice, .documentID: break
    }
    // A string with escapes is decoded, because they count as one character each.
    guard let plain = text.plainString else { return text.decodedString.map { accepts(.string($0)) } ?? false }
    return accepts(plain: text.extracting(plain))
  }

  /// Whether the member can have a text with those bytes.
  func accepts(plain text: Span<UInt8>) -> Bool {
    switch kind {
    case .text(let range):
      // Most texts are so short in bytes that their scalars need not be counted.
      if range.lowerBound <= 1, text.count <= range.upperBound { return text.count >= range.lowerBound }
      return range.contains(text.scalarCount)
    case .day: return WallTime(day: text) != nil
    case .choice(let words):
      for word in words where text.isEqual(to: word) { return true }
      return false
    case .documentID: return DocumentID.isValid(text)
    case .time, .integer, .number, .boolean, .items: return false
    }
  }

  /// Whether the member can have that value.
  package func accepts(_ value: FieldValue) -> Bool {
    switch (kind, value) {
    case (.text, .string(let text)), (.day, .string(let text)), (.choice, .string(let text)),
      (.documentID, .string(let text)):
      accepts(plain: text.utf8.span)
    case (.time, .timestamp(let time)): WallTime.isOfDocument(time)
    case (.integer(let range), .int64(let number)): range.contains(number)
    case (.number(let range), .double(let number)): range.contains(number)
    case (.boolean, .int64(let number)): (0...1).contains(number)
    default: false
    }
  }

  /// What the member's value has to be, as the end of a sentence.
  package var expectation: String {
    switch kind {
    case .text(let range):
      range.lowerBound == 0
        ? "a text of at most \(range.upperBound) characters"
        : "a text of \(range.lowerBound) to \(range.upperBound) characters"
    case .day: "a day from 1970 to 2199, such as 2026-11-21"
    case .time: "a time from 1970 to 2199, such as 2026-11-21T06:06:01.308Z"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      range == Kind.anyNumber ? "a number" : "a number from \(range.lowerBound) to \(range.upperBound)"
    case .boolean: "true or false"
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    case .documentID: "1 to 64 of the characters A-Z, a-z, 0-9, - and _"
    case .items: "a list of at most \(DocumentSchema.itemLimit) items"
    }
  }
}

extension WallTime {
  /// The start of a day `YYYY-MM-DD` from 1970 to 2199, in UTC; nil for any other text.
  package init?(day text: String) { self.init(day: text.utf8.span) }

  /// The start of the day with those bytes.
  init?(day text: Span<UInt8>) {
    guard text.count == 10, let time = WallTime(iso8601: text), Self.isOfDocument(time) else { return nil }
    self = time
  }

  /// A time in ISO 8601 with `Z` or an offset, from 1970 to 2199. Digits beyond milliseconds are dropped. Nil for any other
  /// text.
  package init?(documentTime text: String) { self.init(documentTime: text.utf8.span) }

  /// The time with those bytes.
  init?(documentTime text: Span<UInt8>) {
    guard text.count > 10, let time = WallTime(iso8601: text), Self.isOfDocument(time) else { return nil }
    self = time
  }

  /// The time of a text in ISO 8601 with `Z` or an offset, of any year. Years before 1 and after 9999, which may have a sign
  /// and six digits, are those of the earliest and the latest time with a text. Nil for any other text.
  package init?(anyTime text: String) {
    guard text.utf8.count > 10 else { return nil }
    if let time = WallTime(iso8601: text) {
      self = time
      return
    }
    // A leap year stands for the year, so that every day of it is one.
    let digits = text.first == "-" || text.first == "+" ? 7 : 4
    guard let year = Int(text.prefix(digits)), WallTime(iso8601: "2000" + text.dropFirst(digits)) != nil else {
      return nil
    }
    if let time = (1...9999).contains(year) ? WallTime(iso8601: Self.digits(year) + text.dropFirst(digits)) : nil {
      self = time
    } else if year < 1 || year > 9999 {
      self = year < 1 ? .earliestWritable : .latestWritable
    } else {
      return nil
    }
  }

  private static func digits(_ year: Int) -> String {
    let text = String(year)
    return String(repeating: "0", count: 4 - text.count) + text
  }

  /// The nearest time that a document can have.
  package var inDocument: WallTime { min(max(self, Self.documentTimes.lowerBound), Self.documentTimes.upperBound) }

  /// The times that a document can have: from the start of 1970 to the end of 2199.
  package static let documentTimes = WallTime(milliseconds: 0)...WallTime(milliseconds: 7_258_118_399_999)

  /// Whether a document can have that time.
  static func isOfDocument(_ time: WallTime) -> Bool { documentTimes.contains(time) }
}

extension JSON {
  /// The whole number, whether it is written `3` or `3.0`; nil for any other value.
  package var wholeNumber: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    case .verbatim(let value): value.number.flatMap { Int64(exactly: $0) }
    case .null, .bool, .string, .array, .object: nil
    }
  }
}

extension Span<UInt8> {
  /// The number of Unicode scalars: of the bytes that begin one.
  fileprivate var scalarCount: Int {
    var count = 0
    for index in indices where self[index] & 0xC0 != 0x80 { count += 1 }
    return count
  }
}
