import ZoneKitCSQLite
import ZoneKitRecords

/// One SQL statement of a connection. It is prepared at its first use and kept. Every run leaves it reset.
///
/// Only one thread may use it. A row is valid within the closure that gets it.
package final class Statement {
  /// A value bound to a parameter.
  package enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// Text that is already UTF-8.
    case utf8([UInt8])
    /// Bytes that are no text.
    case bytes([UInt8])

    /// Text, or null for nil.
    package static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }

    /// A time in milliseconds since 1970, or null for nil.
    static func time(_ time: WallTime?) -> Value { time.map { .integer($0.milliseconds) } ?? .null }

    /// 1 or 0.
    package static func flag(_ flag: Bool) -> Value { .integer(flag ? 1 : 0) }
  }

  private let connection: Connection
  let sql: String
  private var handle: OpaquePointer?

  /// A statement with that text. A syntax error is thrown by the first run.
  package init(_ sql: String, on connection: Connection) {
    self.sql = sql
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Runs the statement to its end and ignores rows.
  package func run(_ values: Value...) throws(StoreError) { try run(all: values) }

  /// The same with any number of values.
  func run(all values: [Value]) throws(StoreError) {
    let handle = try start(values)
    defer { sqlite3_reset(handle) }
    while try step(handle) {}
  }

  /// The result of `read` for the first row; nil if there is no row.
  package func first<Result>(
    _ values: Value..., read: (Row) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    try first(all: values, read: read)
  }

  /// The same with any number of values.
  func first<Result>(
    all values: [Value], read: (Row) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    let handle = try start(values)
    defer { sqlite3_reset(handle) }
    return try step(handle) ? read(Row(handle: handle)) : nil
  }

  /// The results of `read` for all rows.
  package func all<Result>(
    _ values: Value..., read: (Row) throws(StoreError) -> Result
  ) throws(StoreError) -> [Result] {
    let handle = try start(values)
    defer { sqlite3_reset(handle) }
    var results: [Result] = []
    while try step(handle) { results.append(try read(Row(handle: handle))) }
    return results
  }

  /// Calls `visit` with each row until it returns false or there are no more rows.
  package func visit(_ values: Value..., row visit: (Row) throws(StoreError) -> Bool) throws(StoreError) {
    try self.visit(all: values, row: visit)
  }

  /// The same with any number of values.
  func visit(all values: [Value], row visit: (Row) throws(StoreError) -> Bool) throws(StoreError) {
    let handle = try start(values)
    defer { sqlite3_reset(handle) }
    while try step(handle), try visit(Row(handle: handle)) {}
  }

  private func start(_ values: [Value]) throws(StoreError) -> OpaquePointer {
    let handle = try prepared()
    for (index, value) in values.enumerated() {
      let code = bind(value, at: Int32(index + 1), of: handle)
      guard code == SQLITE_OK else { throw connection.error(code, sql: sql) }
    }
    return handle
  }

  private func prepared() throws(StoreError) -> OpaquePointer {
    if let handle { return handle }
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw connection.error(code, sql: sql) }
    return handle
  }

  /// Binds a value. The length of text is passed because text may contain NUL. SQLite makes its own copy.
  private func bind(_ value: Value, at index: Int32, of handle: OpaquePointer) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(handle, index)
    case .integer(let number): sqlite3_bind_int64(handle, index, number)
    case .real(let number): sqlite3_bind_double(handle, index, number)
    case .text(var text): text.withUTF8 { bind(UnsafeRawBufferPointer($0), at: index, of: handle) }
    case .utf8(let bytes): bytes.withUnsafeBytes { bind($0, at: index, of: handle) }
    case .bytes(let bytes): bytes.withUnsafeBytes { bind(blob: $0, at: index, of: handle) }
    }
  }

  private func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32, of handle: OpaquePointer) -> Int32 {
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
    return sqlite3_bind_blob(handle, index, start, Int32(bytes.count), copied)
  }

  private func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32, of handle: OpaquePointer) -> Int32 {
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_bind_text(handle, index, "", 0, copied) }
    return sqlite3_bind_text(
      handle, index, start.assumingMemoryBound(to: CChar.self), Int32(bytes.count), copied)
  }

  private func step(_ handle: OpaquePointer) throws(StoreError) -> Bool {
    let code = sqlite3_step(handle)
    guard code != SQLITE_ROW else { return true }
    guard code == SQLITE_DONE else { throw connection.error(code, sql: sql) }
    return false
  }
}
