public import ZoneKitRecords

/// The value of one column of a row.
public enum RowValue: Hashable, Sendable {
  /// No value.
  case null
  /// A universally unique identifier.
  case uuid(UUID)
  /// A text.
  case text(String)
  /// A time in whole milliseconds.
  case timestamp(WallTime)
  /// True or false.
  case bool(Bool)
  /// A finite floating-point number.
  case float8(Double)
  /// A 32-bit integer.
  case int4(Int32)

  /// The column type of the value; nil for null, which every type has.
  public var type: ColumnType? {
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
}
