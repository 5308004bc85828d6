import ZoneKitCSQLite
import ZoneKitRecords

extension Connection {
  /// Checks that the file has that format and migrates it to the newest version, which gives it its origin. Returns the
  /// file's version.
  func adopt(_ format: FileFormat, of origin: FileOrigin?, access: Access) throws(StoreError) -> Int32 {
    let mark = Int32(truncatingIfNeeded: try number("PRAGMA application_id"))
    let version = Int32(truncatingIfNeeded: try number("PRAGMA user_version"))
    let isEmpty = mark == 0 && version == 0 ? try number("SELECT count(*) FROM sqlite_schema") == 0 : false
    guard isEmpty || mark == format.applicationID else {
      let found = "application_id is \(mark), a \(format.name) has \(format.applicationID)"
      throw StoreError(.corrupt, "this is a SQLite database, but not a \(format.name): \(found)", place: path)
    }
    guard version <= format.version else {
      let known = "this program knows versions up to \(format.version)"
      throw StoreError(.failed, "the \(format.name) has version \(version), \(known): use a newer one", place: path)
    }
    if case .observe = access {
      if isEmpty { return try standIn(for: format) }
      try refuse(version, older: format)
      return version
    }
    try useWAL()
    if version < format.version { try migrate(to: format, of: origin) }
    return format.version
  }

  /// Replaces an unfinished file with an empty store in memory (SQLite: c3ref/deserialize.html). An owner that was
  /// killed while it made the file left it without tables and data, and an observer may not finish it.
  private func standIn(for format: FileFormat) throws(StoreError) -> Int32 {
    let code = sqlite3_deserialize(handle, "main", nil, 0, 0, UInt32(SQLITE_DESERIALIZE_RESIZEABLE))
    guard code == SQLITE_OK else { throw error(code, sql: "deserialize") }
    try migrate(to: format, of: nil)
    return format.version
  }

  private func refuse(_ version: Int32, older format: FileFormat) throws(StoreError) {
    guard version < format.oldestObservable else { return }
    let wanted = "version \(format.oldestObservable) is needed: open it for writing once, which brings it up to date"
    throw StoreError(.failed, "the \(format.name) has version \(version), \(wanted)", place: path)
  }

  /// Sets WAL mode, which a copy made by `VACUUM INTO` lacks.
  private func useWAL() throws(StoreError) {
    let mode = try Statement("PRAGMA journal_mode=WAL", on: self).first { $0.text(0) }
    guard mode == "wal" else {
      throw StoreError(.failed, "the journal mode is \(mode ?? "unknown"), and WAL was refused", place: path)
    }
  }

  /// Migrates the file. Another process may do the same at this moment, so the version is read again under the write
  /// lock.
  private func migrate(to format: FileFormat, of origin: FileOrigin?) throws(StoreError) {
    try transaction { () throws(StoreError) in
      let version = try number("PRAGMA user_version")
      guard version < format.version else { return }
      for step in format.migrations[Int(version)...] { try execute(step) }
      if let origin, format.originSince != nil { try store(origin) }
      try execute("PRAGMA application_id=\(format.applicationID); PRAGMA user_version=\(format.version)")
    }
  }

  /// The number that a statement returns.
  private func number(_ sql: String) throws(StoreError) -> Int64 {
    try Statement(sql, on: self).first { $0.integer(0) } ?? 0
  }
}
