import ZoneKitRecords

/// What of a record a query compares and sorts by.
package enum RecordKey: Hashable, Sendable {
  /// The record's name.
  case recordName
  /// The time of the record's last change.
  case modifiedAt
  /// The value of a field that holds texts, numbers or times. A record without the field has no value.
  case field(Name)
  /// The name of the record to which the reference in that field points.
  case target(Name)

  /// Whether every record has a value.
  package var isAlwaysThere: Bool {
    switch self {
    case .recordName, .modifiedAt: true
    case .field, .target: false
    }
  }

  /// The value in a record with these fields; nil for none.
  func value(in record: StoredRecord, _ fields: Fields) -> RecordValue? {
    switch self {
    case .recordName: .text(record.recordName)
    case .modifiedAt: .integer(record.modified.at.milliseconds)
    case .field(let name):
      switch fields[name] {
      case .string(let text): .text(Name(text))
      case .int64(let number): .integer(number)
      case .timestamp(let time): .integer(time.milliseconds)
      case .double(let number): .number(number)
      default: nil
      }
    case .target(let name):
      if case .reference(let reference) = fields[name] { .text(reference.recordName) } else { nil }
    }
  }
}

/// A value that a query compares: numbers by their size, texts by their bytes, and numbers before texts.
package enum RecordValue: Hashable, Comparable, Sendable {
  /// A whole number, or a time in milliseconds.
  case integer(Int64)
  /// A finite number.
  case number(Double)
  /// A text.
  case text(Name)

  /// Orders values.
  package static func < (first: RecordValue, second: RecordValue) -> Bool {
    switch (first, second) {
    case (.integer(let first), .integer(let second)): first < second
    case (.number(let first), .number(let second)): first < second
    case (.integer(let first), .number(let second)): Double(first) < second
    case (.number(let first), .integer(let second)): first < Double(second)
    case (.text(let first), .text(let second)): first < second
    case (.integer, .text), (.number, .text): true
    case (.text, .integer), (.text, .number): false
    }
  }

  /// Whether both are the same number or the same text.
  package static func == (first: RecordValue, second: RecordValue) -> Bool { !(first < second) && !(second < first) }

  /// Hashes the value. Equal numbers have equal hashes.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let number): hasher.combine(Double(number))
    case .number(let number): hasher.combine(number)
    case .text(let text): hasher.combine(text)
    }
  }
}
