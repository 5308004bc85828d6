import ZoneKitRecords

extension DocumentMember {
  /// The value of the member in a field; nil if the JSON value is none.
  func value(_ json: JSON) -> FieldValue? {
    let value: FieldValue? =
      switch kind {
      case .text, .day, .choice, .documentID: json.string.map { .string($0) }
      case .time: json.string.flatMap(WallTime.init(documentTime:)).map { .timestamp($0) }
      case .integer: json.wholeNumber.map { .int64($0) }
      case .items: nil
      }
    return value.flatMap { accepts($0) ? $0 : nil }
  }

  /// The JSON value of a field; nil if the field has no value of the member.
  func json(_ value: FieldValue) -> JSON? {
    guard accepts(value) else { return nil }
    return switch value {
    case .string(let text): .string(text)
    case .int64(let number): .integer(number)
    case .timestamp(let time): .string(time.iso8601)
    default: nil
    }
  }

  /// Whether the member can have that value.
  package func accepts(_ value: FieldValue) -> Bool {
    switch (kind, value) {
    case (.text(let limit), .string(let text)):
      // Most texts are so short in bytes that their scalars need not be counted.
      !text.isEmpty && (text.utf8.count <= limit || text.unicodeScalars.count <= limit)
    case (.day, .string(let text)): WallTime(day: text) != nil
    case (.choice(let words), .string(let text)): words.contains(text)
    case (.documentID, .string(let text)): DocumentID.isValid(text)
    case (.time, .timestamp(let time)): WallTime.isOfDocument(time)
    case (.integer(let range), .int64(let number)): range.contains(number)
    default: false
    }
  }

  /// What the member's value has to be, as the end of a sentence.
  package var expectation: String {
    switch kind {
    case .text(let limit): "a text of 1 to \(limit) characters"
    case .day: "a day from 1970 to 2199, such as 2026-11-21"
    case .time: "a time from 1970 to 2199, such as 2026-11-21T06:06:01.308Z"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    case .documentID: "1 to 64 of the characters A-Z, a-z, 0-9, - and _"
    case .items: "a list of at most \(DocumentSchema.itemLimit) items"
    }
  }
}

extension WallTime {
  /// The start of a day `YYYY-MM-DD` from 1970 to 2199, in UTC; nil for any other text.
  package init?(day text: String) {
    guard text.utf8.count == 10, let time = WallTime(iso8601: text), Self.isOfDocument(time) else { return nil }
    self = time
  }

  /// A time in ISO 8601 with `Z` or an offset, from 1970 to 2199. Digits beyond milliseconds are dropped. Nil for any other
  /// text.
  package init?(documentTime text: String) {
    guard text.utf8.count > 10, let time = WallTime(iso8601: text), Self.isOfDocument(time) else { return nil }
    self = time
  }

  /// Whether a document can have that time: from the start of 1970 to the end of 2199.
  static func isOfDocument(_ time: WallTime) -> Bool { (0...7_258_118_399_999).contains(time.milliseconds) }
}

extension JSON {
  /// The whole number, whether it is written `3` or `3.0`; nil for any other value.
  package var wholeNumber: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    case .null, .bool, .string, .array, .object: nil
    }
  }
}
