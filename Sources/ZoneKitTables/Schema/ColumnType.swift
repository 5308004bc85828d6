/// The type of a column.
package enum ColumnType: Hashable, Sendable, CaseIterable {
  /// A universally unique identifier.
  case uuid
  /// A text.
  case text
  /// A time in whole milliseconds.
  case timestamp
  /// True or false.
  case bool
  /// A finite floating-point number.
  case float8
  /// A 32-bit integer.
  case int4

  /// The type's name in PostgreSQL, as change events state it.
  package var name: String {
    switch self {
    case .uuid: "uuid"
    case .text: "text"
    case .timestamp: "timestamptz"
    case .bool: "bool"
    case .float8: "float8"
    case .int4: "int4"
    }
  }
}
