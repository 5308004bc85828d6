import ZoneKitRecords

/// The value of a column, as PostgreSQL keeps it.
package enum Datum: Sendable {
  /// No value.
  case null
  /// True or false.
  case boolean(Bool)
  /// An integer of any size up to 64 bits.
  case integer(Int64)
  /// A decimal number.
  case numeric(Numeric)
  /// A floating-point number of 32 or 64 bits; one of 32 bits is kept exactly.
  case double(Double)
  /// A text, also one of a limited length.
  case text(String)
  /// A universally unique identifier.
  case uuid(UUID)
  /// A day, counted from 1970; the greatest and the least number stand for infinity.
  case date(Int64)
  /// A time of day in microseconds; a day has 86,400,000,000 of them, and the last one is 24:00.
  case time(Int64)
  /// A day and time without a zone, or a moment, in microseconds from 1970 (in UTC); the greatest and the least number stand
  /// for infinity.
  case timestamp(Int64)
  /// A JSON text as it was written.
  case json(String)
  /// A JSON value.
  case jsonb(JSONBValue)
  /// Bytes.
  case bytes([UInt8])
  /// A value of an enum, with its place among those of the type.
  case label(String, place: Int)
  /// The elements of an array of one dimension.
  case array([Datum])
}

extension Datum: Hashable {
  /// Whether both are null, or equal values of one type. Texts are equal byte by byte.
  package static func == (first: Datum, second: Datum) -> Bool { first.order(to: second) == 0 }

  /// Hashes the value.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    switch self {
    case .null: break
    case .boolean(let bool): hasher.combine(bool)
    case .integer(let number), .date(let number), .time(let number), .timestamp(let number): hasher.combine(number)
    case .numeric(let number): hasher.combine(number)
    case .double(let number): hasher.combine(number.isNaN ? .infinity : number)
    case .text(let text), .json(let text): hasher.combine(bytes: text.utf8)
    case .uuid(let id): hasher.combine(id)
    // Equal numbers in it can be written in different ways.
    case .jsonb: break
    case .bytes(let bytes): hasher.combine(bytes)
    case .label(_, let place): hasher.combine(place)
    case .array(let elements): hasher.combine(elements)
    }
  }
}

extension Hasher {
  fileprivate mutating func combine(bytes text: String.UTF8View) {
    for byte in text { combine(byte) }
  }
}

extension Datum {
  /// The order of two values of one type: less than zero, zero or more than zero. Texts are compared byte by byte, as with
  /// the collation C. Null is the greatest value.
  package func order(to other: Datum) -> Int {
    switch (self, other) {
    case (.boolean(let first), .boolean(let second)): Self.order(first ? 1 : 0, second ? 1 : 0)
    case (.integer(let first), .integer(let second)): Self.order(first, second)
    case (.numeric(let first), .numeric(let second)): Self.order(first, second)
    case (.double(let first), .double(let second)): Self.order(ofDoubles: first, second)
    case (.text(let first), .text(let second)), (.json(let first), .json(let second)):
      Self.order(first.utf8, second.utf8)
    case (.uuid(let first), .uuid(let second)): Self.order(first, second)
    case (.date(let first), .date(let second)), (.time(let first), .time(let second)),
      (.timestamp(let first), .timestamp(let second)):
      Self.order(first, second)
    case (.jsonb(let first), .jsonb(let second)): Self.order(first, second)
    case (.bytes(let first), .bytes(let second)): Self.order(first, second)
    case (.label(_, let first), .label(_, let second)): Self.order(first, second)
    case (.array(let first), .array(let second)): Self.order(ofArrays: first, second)
    default: Self.order(rank, other.rank)
    }
  }

  private static func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int {
    first < second ? -1 : first == second ? 0 : 1
  }

  private static func order(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>) -> Int {
    first.lexicographicallyPrecedes(second) ? -1 : first.elementsEqual(second) ? 0 : 1
  }

  /// No number is greater than all numbers, and equal to itself.
  private static func order(ofDoubles first: Double, _ second: Double) -> Int {
    first.isNaN || second.isNaN ? order(first.isNaN ? 1 : 0, second.isNaN ? 1 : 0) : order(first, second)
  }

  private static func order(ofArrays first: [Datum], _ second: [Datum]) -> Int {
    for (own, other) in zip(first, second) {
      let order = own.order(to: other)
      if order != 0 { return order }
    }
    return order(first.count, second.count)
  }

  /// The place of the value's kind among all; null is the last one.
  private var rank: Int {
    switch self {
    case .boolean: 0
    case .integer: 1
    case .numeric: 2
    case .double: 3
    case .text: 4
    case .uuid: 5
    case .date: 6
    case .time: 7
    case .timestamp: 8
    case .json: 9
    case .jsonb: 10
    case .bytes: 11
    case .label: 12
    case .array: 13
    case .null: 14
    }
  }
}
