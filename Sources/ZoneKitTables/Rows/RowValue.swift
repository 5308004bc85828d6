import ZoneKitRecords

/// The value of one column of a row.
package enum RowValue: Hashable, Sendable {
  /// No value.
  case null
  /// A universally unique identifier.
  case uuid(UUID)
  /// A text. Texts are compared byte by byte.
  case text(String)
  /// A time in whole milliseconds.
  case timestamp(WallTime)
  /// True or false.
  case bool(Bool)
  /// A finite floating-point number. There is no negative zero.
  case float8(Double)
  /// A 32-bit integer.
  case int4(Int32)

  /// The column type of the value; nil for null, which every type has.
  package var type: ColumnType? {
    switch self {
    case .null: nil
    case .uuid: .uuid
    case .text: .text
    case .timestamp: .timestamp
    case .bool: .bool
    case .float8: .float8
    case .int4: .int4
    }
  }

  /// Whether both are null, or equal values of one type.
  package static func == (first: RowValue, second: RowValue) -> Bool { first.order(to: second) == .equal }

  /// Hashes the value.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .uuid(let id): hasher.combine(id)
    case .text(let text): hasher.combine(text)
    case .timestamp(let time): hasher.combine(time)
    case .bool(let bool): hasher.combine(bool)
    case .float8(let number): hasher.combine(number)
    case .int4(let number): hasher.combine(number)
    }
  }

  /// The identifier; nil for any other value.
  package var uuid: UUID? {
    guard case .uuid(let id) = self else { return nil }
    return id
  }

  /// The number; nil for any other value.
  package var number: Double? {
    switch self {
    case .float8(let number): number
    case .int4(let number): Double(number)
    case .null, .uuid, .text, .timestamp, .bool: nil
    }
  }

  /// The text; nil for any other value.
  package var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  /// The time; nil for any other value.
  package var time: WallTime? {
    guard case .timestamp(let time) = self else { return nil }
    return time
  }
}

extension RowValue {
  /// The result of comparing two values.
  package enum Order: Hashable, Sendable {
    /// The first value is the smaller one.
    case ascending
    /// Both are the same value.
    case equal
    /// The first value is the greater one.
    case descending

    /// The order of two values that can be compared.
    package init<Value: Comparable>(_ first: Value, _ second: Value) {
      self = first < second ? .ascending : first == second ? .equal : .descending
    }
  }

  /// Compares two values of one type: texts by their bytes, false before true. Null is the greatest value; values of
  /// different types are in the order of the types.
  package func order(to other: RowValue) -> Order {
    switch (self, other) {
    case (.uuid(let first), .uuid(let second)): Order(first, second)
    case (.text(let first), .text(let second)): Order(Name(first), Name(second))
    case (.timestamp(let first), .timestamp(let second)): Order(first, second)
    case (.bool(let first), .bool(let second)): Order(first ? 1 : 0, second ? 1 : 0)
    case (.float8(let first), .float8(let second)): Order(first, second)
    case (.int4(let first), .int4(let second)): Order(first, second)
    default: Order(rank, other.rank)
    }
  }

  private var rank: Int {
    switch self {
    case .uuid: 0
    case .text: 1
    case .timestamp: 2
    case .bool: 3
    case .float8: 4
    case .int4: 5
    case .null: 6
    }
  }
}
