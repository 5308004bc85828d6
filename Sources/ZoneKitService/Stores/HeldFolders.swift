import ZoneKitRecords
import ZoneKitStorage

/// Folders that this process alone may change for a while.
enum HeldFolders {
  /// Runs `work` while this process holds the locks of those folders. Throws, naming the owner's pid, where another
  /// process holds one; nothing was done then.
  static func holding<Result>(
    _ folders: [String], _ work: () throws(StoresError) -> Result
  ) throws(StoresError) -> Result {
    var locks: [DirectoryLock] = []
    for folder in folders { locks.append(try StoresError.from { () throws(StoreError) in try DirectoryLock(folder) }) }
    // A lock goes with its last reference, and nobody uses these.
    defer { withExtendedLifetime(locks) {} }
    return try work()
  }
}
