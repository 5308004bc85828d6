import ZoneKitCSQLite
import ZoneKitRecords

/// One open SQLite file in WAL mode, used by one thread; closed when the last reference to it and its statements goes.
///
/// A file that is not ours, or that a newer program wrote, is refused with an error that names it.
package final class Connection {
  /// The file, as errors name it.
  package let path: String
  /// The version of the file's tables; an observer can meet an older one than the format's.
  package private(set) var version: Int32 = 0
  let handle: OpaquePointer
  private let source: ConnectionSource
  private let wal: UnsafeMutablePointer<Int32>

  /// Opens the file and brings its tables up to date. `checkpointPages`: how many pages of WAL make a commit copy them
  /// into the file itself; 0 leaves that to others.
  package init(
    _ path: String, as format: FileFormat, access: Access, durability: Durability = .full, checkpointPages: Int32 = 1000
  ) throws(StoreError) {
    self.path = path
    source = try ConnectionSource(path: path, access: access)
    handle = try source.open(naming: path)
    wal = .allocate(capacity: 1)
    wal.initialize(to: 0)
    try configure(durability, checkpointPages: checkpointPages)
    version = try adopt(format, access: access)
    // What an observer has of its own in the file's place could be written, to no effect.
    if case .observe = access { try execute("PRAGMA query_only=ON") }
  }

  deinit {
    sqlite3_close_v2(handle)
    wal.deallocate()
    source.remove()
  }

  /// Settings that SQLite does not keep in the file. Schemas of strangers must not call functions with side effects
  /// (SQLite: pragma.html, trusted_schema).
  private func configure(_ durability: Durability, checkpointPages: Int32) throws(StoreError) {
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, 5000)
    try execute("PRAGMA trusted_schema=OFF; PRAGMA synchronous=\(durability.rawValue)")
    guard checkpointPages == 0 else {
      sqlite3_wal_autocheckpoint(handle, checkpointPages)
      return
    }
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        context?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, wal)
  }

  /// How many pages the WAL held after the last commit, where `checkpointPages` is 0.
  package var walPages: Int { Int(wal.pointee) }

  /// Runs statements that take and give nothing.
  package func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// Runs `body` in one transaction: all of it is kept, or, where it throws, nothing.
  package func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Takes back what is not committed, where there is anything. SQLite itself rolls back on some errors (SQLite:
  /// lang_transaction.html), so only an open transaction is ended; a failure leaves nothing that could be kept.
  package func rollBack() {
    guard sqlite3_get_autocommit(handle) == 0 else { return }
    sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }

  /// Copies WAL pages into the file without waiting for anybody.
  @discardableResult
  package func checkpoint() throws(StoreError) -> CheckpointResult { try checkpoint(SQLITE_CHECKPOINT_PASSIVE) }

  /// Copies all WAL pages into the file and empties the WAL, waiting up to five seconds for readers.
  @discardableResult
  package func checkpointWholly() throws(StoreError) -> CheckpointResult { try checkpoint(SQLITE_CHECKPOINT_TRUNCATE) }

  private func checkpoint(_ mode: Int32) throws(StoreError) -> CheckpointResult {
    var pages: Int32 = 0
    var copied: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &copied)
    guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else { throw error(code, sql: "checkpoint") }
    return CheckpointResult(pages: Int(pages), copied: Int(copied))
  }

  func error(_ code: Int32, sql: String) -> StoreError { StoreError(code, of: handle, path: path, sql: sql) }
}
