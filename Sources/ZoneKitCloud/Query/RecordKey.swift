import ZoneKitRecords

/// What of a record a query compares and sorts by.
package enum RecordKey: Hashable, Sendable {
  /// The record's name.
  case recordName
  /// The time of the record's creation.
  case createdAt
  /// The time of the record's last change.
  case modifiedAt
  /// The user who created the record.
  case createdBy
  /// The user who changed the record last.
  case modifiedBy
  /// The name of the record's parent.
  case parent
  /// The name of the share to which the record belongs. No record belongs to one.
  case share
  /// The value of a field that holds texts, numbers, times or bytes, which compare as their base64 text. A record without
  /// the field has no value.
  case field(Name)
  /// The name of the record to which the reference in that field points.
  case target(Name)
  /// The distance of the location in that field from another one. Distances compare by `Location.squaredChord`.
  case distance(Name, Location)

  /// Whether every record has a value.
  package var isAlwaysThere: Bool {
    switch self {
    case .recordName, .createdAt, .modifiedAt, .createdBy, .modifiedBy: true
    case .parent, .share, .field, .target, .distance: false
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
    case (.integer(let first), .number(let second)): order(first, second) < 0
    case (.number(let first), .integer(let second)): order(second, first) > 0
    case (.text(let first), .text(let second)): first < second
    case (.integer, .text), (.number, .text): true
    case (.text, .integer), (.text, .number): false
    }
  }

  /// Below 0 if the whole number is less than the other one, 0 if they are equal, and above 0 if it is greater. Beyond 2^53
  /// a whole number has no exact Double.
  private static func order(_ whole: Int64, _ number: Double) -> Int {
    guard number < 0x1p63 else { return -1 }
    guard number >= -0x1p63 else { return 1 }
    let truncated = Int64(number)
    if whole != truncated { return whole < truncated ? -1 : 1 }
    let rest = number - Double(truncated)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
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

extension RecordValue {
  /// The value of a field that holds one text, number, time or byte string; nil for others.
  init?(_ value: FieldValue) {
    switch value {
    case .string(let text): self = .text(Name(text))
    case .int64(let number): self = .integer(number)
    case .timestamp(let time): self = .integer(time.milliseconds)
    case .double(let number): self = .number(number)
    case .bytes(let bytes), .encryptedBytes(let bytes): self = .text(Name(Base64.encode(bytes)))
    case .reference, .location, .asset, .stringList, .int64List, .doubleList, .bytesList, .timestampList,
      .referenceList,
      .locationList, .assetList, .unknownList:
      return nil
    }
  }

  /// The elements of a list; nil for another value, and for locations and assets, which do not compare.
  static func elements(of value: FieldValue) -> [RecordValue]? {
    switch value {
    case .stringList(let list): list.map { .text(Name($0)) }
    case .int64List(let list): list.map { .integer($0) }
    case .doubleList(let list): list.map { .number($0) }
    case .bytesList(let list): list.map { .text(Name(Base64.encode($0))) }
    case .timestampList(let list): list.map { .integer($0.milliseconds) }
    case .referenceList(let list): list.map { .text($0.recordName) }
    case .unknownList: []
    case .string, .int64, .double, .bytes, .encryptedBytes, .timestamp, .reference, .location, .asset, .locationList,
      .assetList:
      nil
    }
  }
}
