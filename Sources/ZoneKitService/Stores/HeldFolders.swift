import ZoneKitRecords
import ZoneKitStorage

/// Locks folders, so that only this process can change them.
enum HeldFolders {
  /// Runs `work` while this process holds the locks of those folders. If another process holds one of them, throws with
  /// its process ID before `work` starts.
  static func holding<Result>(
    _ folders: [String], _ work: () throws(StoresError) -> Result
  ) throws(StoresError) -> Result {
    var locks: [DirectoryLock] = []
    for folder in folders { locks.append(try StoresError.from { () throws(StoreError) in try DirectoryLock(folder) }) }
    // A lock is released with its last reference. These are the only references.
    defer { withExtendedLifetime(locks) {} }
    return try work()
  }
}
