import ZoneKitCSQLite
import ZoneKitRecords

/// One open SQLite file in WAL mode. One thread uses it. It is closed with the last reference to it and its statements.
///
/// A file of another program, or one that a newer version wrote, is refused with an error that names it.
package final class Connection {
  /// The path of the file, for errors.
  package let path: String
  /// The version of the file's tables. For an observer it may be older than that of the format.
  package private(set) var version: Int32 = 0
  /// Whether the file has a table with its origin.
  private(set) var hasOrigin = false
  let handle: OpaquePointer
  private let source: ConnectionSource
  private let wal: UnsafeMutablePointer<Int32>
  private let file: FileIdentity?
  private let walPath: String
  private var walFile: FileIdentity?
  private let loan: FileReserve.Loan?
  private let limit: ReadingLimit?
  /// `WALIndexGuard.repairs` at the beginning of the transaction.
  private var indexRepairs = 0

  /// The file, its WAL, the index of the WAL, and the folder, which SQLite opens for the first sync of the WAL. If there
  /// is no descriptor for the folder, SQLite leaves its sync out without an error (SQLite: os_unix.c, unixSync), and a
  /// power cut could take the new file's name.
  package static let descriptors = 4

  /// Opens the file and migrates its tables. `checkpointPages` is the number of WAL pages at which a commit copies them
  /// into the file; 0 means never. A file of another `origin` is refused. `limit` ends statements. With `isDamaged`, a file is read that lacks some
  /// of its pages (SQLite: pragma.html, writable_schema).
  package init(
    _ path: String, as format: FileFormat, access: Access, durability: Durability = .full,
    checkpointPages: Int32 = 1000, origin: FileOrigin? = nil, reserve: FileReserve? = nil, limit: ReadingLimit? = nil,
    isDamaged: Bool = false
  ) throws(StoreError) {
    self.path = path
    self.limit = limit
    loan = reserve?.loan(Self.descriptors)
    source = try ConnectionSource(path: path, access: access)
    handle = try source.open(naming: path)
    file = FileIdentity(path)
    walPath = path + "-wal"
    wal = .allocate(capacity: 1)
    wal.initialize(to: 0)
    if isDamaged { try execute("PRAGMA writable_schema=ON") }
    // An observer writes only to its private copy.
    try configure(access == .observe ? .off : durability, checkpointPages: checkpointPages)
    version = try adopt(format, of: origin, access: access)
    hasOrigin = format.originSince.map { version >= $0 } ?? false
    if let origin, hasOrigin { try check(origin, access: access) }
    // An observer's private copy or stand-in could be written, but the changes would be lost.
    if case .observe = access { try execute("PRAGMA query_only=ON") }
    limit?.watch(handle)
  }

  deinit {
    sqlite3_close_v2(handle)
    wal.deallocate()
    source.remove()
  }

  /// Applies settings that SQLite does not store in the file. The schema of a foreign file must not call functions with
  /// side effects (SQLite: pragma.html, trusted_schema).
  private func configure(_ durability: Durability, checkpointPages: Int32) throws(StoreError) {
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, 5000)
    // A WAL that has grown is cut when it begins anew (SQLite: pragma.html, journal_size_limit).
    try execute("PRAGMA journal_size_limit=\(Self.idleWALSize)")
    try execute("PRAGMA trusted_schema=OFF")
    let code = FieldExtraction.add(to: handle)
    guard code == SQLITE_OK else { throw error(code, sql: "json_extract") }
    try setDurability(durability)
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

  /// The most bytes of a WAL whose pages are all in the file: a thousand pages, which commits fill again anyway.
  private static let idleWALSize = 4 << 20

  /// Sets the number of WAL pages at which a commit copies them into the file.
  func checkpoint(atPages pages: Int32) { sqlite3_wal_autocheckpoint(handle, pages) }

  /// Sets what the next commits survive.
  func setDurability(_ durability: Durability) throws(StoreError) {
    try execute("PRAGMA synchronous=\(durability.rawValue)")
  }

  /// Whether the file and its WAL are still those at their paths. Called after a commit, which has made the WAL.
  package func isInPlace() -> Bool {
    let found = FileIdentity(walPath)
    if walFile == nil { walFile = found }
    return found != nil && found == walFile && FileIdentity(path) == file
  }

  /// The number of pages in the WAL after the last commit. Valid only if `checkpointPages` is 0.
  package var walPages: Int { Int(wal.pointee) }

  /// Runs statements without parameters or results.
  package func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// Runs `body` without the limit of reads.
  func withoutLimit<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    sqlite3_progress_handler(handle, 0, nil, nil)
    defer { limit?.watch(handle) }
    return try body()
  }

  /// Runs `body` in one transaction. If it throws, nothing is kept.
  package func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try execute("BEGIN IMMEDIATE")
    began()
    do {
      let result = try body()
      try commit { () throws(StoreError) in try execute("COMMIT") }
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// A transaction began.
  func began() { indexRepairs = WALIndexGuard.repairs }

  /// Runs the COMMIT statement. Throws if the index of a WAL was shortened since the transaction began, because its
  /// statements may have missed pages. If that happens during the commit, the pages are safe, and the index is rebuilt.
  func commit(_ run: () throws(StoreError) -> Void) throws(StoreError) {
    guard WALIndexGuard.repairs == indexRepairs else {
      throw StoreError(.failed, "another program shortened the index of a WAL during the transaction", place: path)
    }
    try StoreTimes.commit(run)
    if WALIndexGuard.repairs != indexRepairs { WALIndexGuard.invalidate(path + "-shm") }
  }

  /// Rolls back the open transaction, if there is one. SQLite itself rolls back on some errors (SQLite:
  /// lang_transaction.html), so there may be none. An error is ignored, because nothing is kept either way.
  package func rollBack() {
    guard sqlite3_get_autocommit(handle) == 0 else { return }
    sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }

  /// Copies WAL pages into the file without waiting for other connections.
  @discardableResult
  package func checkpoint() throws(StoreError) -> CheckpointResult { try checkpoint(SQLITE_CHECKPOINT_PASSIVE) }

  /// Copies all WAL pages into the file and empties the WAL. Waits up to five seconds for readers.
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
