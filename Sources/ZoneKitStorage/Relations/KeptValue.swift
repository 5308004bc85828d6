import ZoneKitCSQLite

/// A value as SQLite keeps it.
protocol KeptValue {
  /// Whether it is null.
  var isNull: Bool { get }
  /// Whether it is a text.
  var isText: Bool { get }
  /// The integer; 0 for null.
  var integer: Int64 { get }
  /// The floating-point number; 0 for null.
  var real: Double { get }
  /// The bytes of a text or of bytes, valid for as long as the value.
  var bytes: UnsafeRawBufferPointer { get }
}

extension KeptValue {
  /// The text; empty for null.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A column of the present row of a statement.
struct ColumnValue: KeptValue {
  let row: Row
  let column: Int32

  var isNull: Bool { row.isNull(column) }
  var isText: Bool { row.isText(column) }
  var integer: Int64 { row.integer(column) }
  var real: Double { row.real(column) }
  var bytes: UnsafeRawBufferPointer { row.utf8(column) }
}

/// An argument of a function that SQLite calls.
struct ArgumentValue: KeptValue {
  let value: OpaquePointer

  var isNull: Bool { sqlite3_value_type(value) == SQLITE_NULL }
  var isText: Bool { sqlite3_value_type(value) == SQLITE_TEXT }
  var integer: Int64 { sqlite3_value_int64(value) }
  var real: Double { sqlite3_value_double(value) }
  var bytes: UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }
}
