import ZoneKitRecords
import ZoneKitStorage

/// Locks folders, so that only this process changes them.
enum HeldFolders {
  /// Runs `work` while this process holds the locks of those folders. Throws with the owner's process ID, before `work`
  /// starts, where another process holds one of them.
  static func holding<Result>(
    _ folders: [String], _ work: () throws(StoresError) -> Result
  ) throws(StoresError) -> Result {
    var locks: [DirectoryLock] = []
    for folder in folders { locks.append(try StoresError.from { () throws(StoreError) in try DirectoryLock(folder) }) }
    // A lock is released with its last reference, and nothing else refers to these.
    defer { withExtendedLifetime(locks) {} }
    return try work()
  }
}
