import Glibc
import ZoneKitCSQLite
import ZoneKitThreads

/// SQLite's files with one difference: the time of each sync is counted.
///
/// A file system of SQLite may stand before another one (SQLite: vfs.html, 2.2). This one opens a file with the usual one and
/// gives it a copy of its table of methods, in which only `xSync` is another function. All other methods stay as they are.
package enum TimedFiles {
  private static let isInstalled = register()

  /// A table of methods with the function that it replaces. A file has the address of the table, which is that of this value.
  private struct Methods {
    var table: sqlite3_io_methods
    let sync: @convention(c) (UnsafeMutablePointer<sqlite3_file>?, Int32) -> Int32
  }

  private nonisolated(unsafe) static let usual: UnsafeMutablePointer<sqlite3_vfs>? = sqlite3_vfs_find(nil)
  private static let tables = Lock([UInt: UInt]())

  /// Lets all connections of this process that are opened from now on count. Returns whether they do.
  @discardableResult
  package static func install() -> Bool { isInstalled }

  private static func register() -> Bool {
    guard let usual else { return false }
    let files = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    files.initialize(to: usual.pointee)
    files.pointee.zName = UnsafePointer(strdup("timed"))
    files.pointee.pNext = nil
    files.pointee.xOpen = { files, name, file, flags, outFlags in
      let code = TimedFiles.usual?.pointee.xOpen(files, name, file, flags, outFlags) ?? SQLITE_CANTOPEN
      if code == SQLITE_OK, let file, let methods = file.pointee.pMethods {
        file.pointee.pMethods = TimedFiles.timed(methods)
      }
      return code
    }
    return sqlite3_vfs_register(files, 1) == SQLITE_OK
  }

  /// The table that stands for another one. There is one for each that SQLite has, and it is never freed.
  private static func timed(_ methods: UnsafePointer<sqlite3_io_methods>) -> UnsafePointer<sqlite3_io_methods> {
    let address = tables.withLock { tables in
      let key = UInt(bitPattern: methods)
      if let known = tables[key] { return known }
      guard let sync = methods.pointee.xSync else { return key }
      let made = UnsafeMutablePointer<Methods>.allocate(capacity: 1)
      made.initialize(to: Methods(table: methods.pointee, sync: sync))
      made.pointee.table.xSync = { file, flags in
        guard let file, let methods = file.pointee.pMethods else { return SQLITE_IOERR }
        let sync = UnsafeRawPointer(methods).assumingMemoryBound(to: Methods.self).pointee.sync
        return StoreTimes.sync { sync(file, flags) }
      }
      tables[key] = UInt(bitPattern: made)
      return UInt(bitPattern: made)
    }
    return UnsafePointer(bitPattern: address) ?? methods
  }
}
