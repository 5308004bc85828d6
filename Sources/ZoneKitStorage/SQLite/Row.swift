import ZoneKitCSQLite
import ZoneKitRecords

/// The present row of a statement. Columns count from 0.
package struct Row {
  let handle: OpaquePointer

  /// An integer; 0 for null.
  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// Whether an integer is not 0.
  package func flag(_ column: Int32) -> Bool { integer(column) != 0 }

  /// Whether the column holds null.
  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// Whether the column holds an integer.
  package func isInteger(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_INTEGER }

  /// A floating-point number; 0 for null and for texts.
  func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// Whether the column holds a text.
  func isText(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_TEXT }

  /// The bytes of a text, without a copy, valid until the statement moves on; empty for null.
  ///
  /// `sqlite3_column_blob` returns text without the copy that `sqlite3_column_text` makes to terminate it with NUL.
  package func utf8(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// Text; empty for null.
  package func text(_ column: Int32) -> String { String(decoding: utf8(column), as: UTF8.self) }

  /// Text; nil for null.
  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// A time, which is kept in milliseconds since 1970.
  func time(_ column: Int32) -> WallTime { WallTime(milliseconds: integer(column)) }

  /// A time; nil for null.
  func optionalTime(_ column: Int32) -> WallTime? { isNull(column) ? nil : time(column) }
}
