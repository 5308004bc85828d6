import ZoneKitCSQLite

/// SQLite's `json_extract` of two arguments, as a function that the schema of a file may call.
///
/// Builds of SQLite exist that do not mark `json_extract` as innocuous, and no index over it can be made or used where
/// `trusted_schema` is off (SQLite: pragma.html, deterministic.html). So each connection gets a function of that name, whose
/// values are those of SQLite's own on another connection. A file stays readable for every program with SQLite.
final class FieldExtraction {
  private var database: OpaquePointer?
  private var statement: OpaquePointer?

  deinit {
    sqlite3_finalize(statement)
    sqlite3_close_v2(database)
  }

  /// Adds the function to a connection. Returns the result code.
  static func add(to handle: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      handle, "json_extract", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
      Unmanaged.passRetained(FieldExtraction()).toOpaque(),
      { context, _, arguments in
        guard let context, let arguments, let own = sqlite3_user_data(context) else { return }
        Unmanaged<FieldExtraction>.fromOpaque(own).takeUnretainedValue().extract(
          arguments[0], arguments[1], for: context)
      }, nil, nil,
      { own in
        guard let own else { return }
        Unmanaged<FieldExtraction>.fromOpaque(own).release()
      })
  }

  private func extract(_ document: OpaquePointer?, _ path: OpaquePointer?, for context: OpaquePointer) {
    guard let statement = prepared() else {
      return sqlite3_result_error(context, "json_extract of SQLite cannot be called", -1)
    }
    defer { sqlite3_reset(statement) }
    // The document and the path live until the function returns.
    let isBound = Self.bind(document, at: 1, of: statement) && Self.bind(path, at: 2, of: statement)
    guard isBound, sqlite3_step(statement) == SQLITE_ROW else {
      return sqlite3_result_error(context, sqlite3_errmsg(database), -1)
    }
    Self.pass(statement, to: context)
  }

  private func prepared() -> OpaquePointer? {
    if let statement { return statement }
    guard sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nil) == SQLITE_OK else {
      return nil
    }
    sqlite3_prepare_v3(
      database, "SELECT json_extract(?1, ?2)", -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    return statement
  }

  private static func bind(_ value: OpaquePointer?, at index: Int32, of statement: OpaquePointer) -> Bool {
    guard let text = sqlite3_value_text(value) else { return sqlite3_bind_null(statement, index) == SQLITE_OK }
    return text.withMemoryRebound(to: CChar.self, capacity: 1) {
      sqlite3_bind_text(statement, index, $0, sqlite3_value_bytes(value), nil) == SQLITE_OK
    }
  }

  private static func pass(_ statement: OpaquePointer, to context: OpaquePointer) {
    switch sqlite3_column_type(statement, 0) {
    case SQLITE_INTEGER: sqlite3_result_int64(context, sqlite3_column_int64(statement, 0))
    case SQLITE_FLOAT: sqlite3_result_double(context, sqlite3_column_double(statement, 0))
    case SQLITE_TEXT:
      guard let text = sqlite3_column_text(statement, 0) else { return sqlite3_result_error_nomem(context) }
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      text.withMemoryRebound(to: CChar.self, capacity: 1) {
        sqlite3_result_text(context, $0, sqlite3_column_bytes(statement, 0), copied)
      }
    default: sqlite3_result_null(context)
    }
  }
}
