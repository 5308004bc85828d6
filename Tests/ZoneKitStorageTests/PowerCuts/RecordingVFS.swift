import Glibc
import ZoneKitThreads
import ZoneKitStorage
import ZoneKitCSQLite

/// The default VFS of this process (SQLite: vfs.html), which records what happens to the files of some folders. Other
/// files are left to the VFS of the system.
enum RecordingVFS {
  /// An open file: what SQLite knows of it, and behind that the file of the system's VFS.
  private struct Handle {
    var base: sqlite3_file
    var file: Unmanaged<File>
  }

  /// What is recorded of an open file.
  private final class File: Sendable {
    let recorder: DiskRecorder
    let number: Int
    /// The folder whose names the next sync of the file syncs too; nil for none.
    let unsyncedFolder: Lock<String?>

    init(_ recorder: DiskRecorder, path: String, flags: Int32) {
      self.recorder = recorder
      number = recorder.number(of: path)
      // SQLite syncs the folder with the first sync of a journal or WAL that it opened to make it.
      let isJournal = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0 && flags & SQLITE_OPEN_CREATE != 0
      unsyncedFolder = Lock(isJournal ? RecordingVFS.parent(of: path) : nil)
    }
  }

  private static let recorders = Lock<[String: DiskRecorder]>([:])
  private static let space = (MemoryLayout<Handle>.size + 15) / 16 * 16
  nonisolated(unsafe) private static let system: UnsafeMutablePointer<sqlite3_vfs> = {
    guard let found = sqlite3_vfs_find("unix") else { fatalError("SQLite lacks its VFS for Unix") }
    return found
  }()
  nonisolated(unsafe) private static let methods = makeMethods()
  private static let isRegistered: Bool = register()

  /// Begins to record files that are opened from now on.
  static func begin(_ recorder: DiskRecorder) {
    precondition(isRegistered, "SQLite refused the VFS")
    recorders.withLock { $0[recorder.root] = recorder }
  }

  /// Ends recording of files that are opened from now on.
  static func end(_ recorder: DiskRecorder) { recorders.withLock { $0[recorder.root] = nil } }

  private static func recorder(of path: String) -> DiskRecorder? {
    recorders.withLock { all in all.first { path == $0.key || path.hasPrefix($0.key + "/") }?.value }
  }

  private static func parent(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  private static func register() -> Bool {
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: system.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.zName = UnsafePointer(strdup("recording"))
    vfs.pointee.szOsFile += Int32(space)
    vfs.pointee.xOpen = { _, path, file, flags, outFlags in
      guard let file else { return SQLITE_CANTOPEN }
      return RecordingVFS.open(path, file, flags, outFlags)
    }
    vfs.pointee.xDelete = { _, path, syncsFolder in
      guard let path, let delete = RecordingVFS.system.pointee.xDelete else { return SQLITE_MISUSE }
      let code = delete(RecordingVFS.system, path, syncsFolder)
      let name = String(cString: path)
      guard code == SQLITE_OK, let recorder = RecordingVFS.recorder(of: name) else { return code }
      recorder.removed(name)
      if syncsFolder != 0 { recorder.note(.syncedFolder(path: RecordingVFS.parent(of: name))) }
      return code
    }
    Folder.observer.withLock { $0 = Folder.Observer { recorder(of: $0.path)?.note($0) } }
    return sqlite3_vfs_register(vfs, 1) == SQLITE_OK
  }

  private static func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let open = system.pointee.xOpen else { return SQLITE_CANTOPEN }
    guard let path, let recorder = recorder(of: String(cString: path)) else {
      return open(system, path, file, flags, outFlags)
    }
    file.pointee.pMethods = nil
    let code = open(system, path, inner(file), flags, outFlags)
    guard code == SQLITE_OK else { return code }
    let recorded = File(recorder, path: String(cString: path), flags: flags)
    UnsafeMutableRawPointer(file).initializeMemory(
      as: Handle.self, to: Handle(base: sqlite3_file(pMethods: methods), file: Unmanaged.passRetained(recorded)))
    return SQLITE_OK
  }

  private static func makeMethods() -> UnsafePointer<sqlite3_io_methods> {
    var methods = sqlite3_io_methods()
    // Version 3 would let SQLite map a file and write to it unseen.
    methods.iVersion = 2
    methods.xClose = { file in
      let code = RecordingVFS.with(file) { $1.xClose($0) }
      RecordingVFS.handle(file)?.pointee.file.release()
      return code
    }
    methods.xRead = { file, bytes, count, offset in RecordingVFS.with(file) { $1.xRead($0, bytes, count, offset) } }
    methods.xWrite = { file, bytes, count, offset in
      let code = RecordingVFS.with(file) { $1.xWrite($0, bytes, count, offset) }
      guard code == SQLITE_OK, let bytes else { return code }
      RecordingVFS.note(file) {
        .wrote($0, offset: Int(offset), bytes: Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
      }
      return code
    }
    methods.xTruncate = { file, size in
      let code = RecordingVFS.with(file) { $1.xTruncate($0, size) }
      if code == SQLITE_OK { RecordingVFS.note(file) { .resized($0, size: Int(size)) } }
      return code
    }
    methods.xSync = { file, flags in
      let code = RecordingVFS.with(file) { $1.xSync($0, flags) }
      if code == SQLITE_OK { RecordingVFS.noteSync(of: file) }
      return code
    }
    methods.xFileSize = { file, size in RecordingVFS.with(file) { $1.xFileSize($0, size) } }
    methods.xLock = { file, level in RecordingVFS.with(file) { $1.xLock($0, level) } }
    methods.xUnlock = { file, level in RecordingVFS.with(file) { $1.xUnlock($0, level) } }
    methods.xCheckReservedLock = { file, result in RecordingVFS.with(file) { $1.xCheckReservedLock($0, result) } }
    methods.xFileControl = { file, verb, argument in
      RecordingVFS.with(file) { $1.xFileControl($0, verb, argument) }
    }
    methods.xSectorSize = { file in RecordingVFS.with(file) { $1.xSectorSize($0) } }
    methods.xDeviceCharacteristics = { file in RecordingVFS.with(file) { $1.xDeviceCharacteristics($0) } }
    // The index of a WAL is memory that processes share. It does not survive a power cut.
    methods.xShmMap = { file, page, size, extends, memory in
      RecordingVFS.with(file) { $1.xShmMap($0, page, size, extends, memory) }
    }
    methods.xShmLock = { file, offset, count, flags in
      RecordingVFS.with(file) { $1.xShmLock($0, offset, count, flags) }
    }
    methods.xShmBarrier = { file in
      _ = RecordingVFS.with(file) { file, methods in
        methods.xShmBarrier(file)
        return SQLITE_OK
      }
    }
    methods.xShmUnmap = { file, deletes in RecordingVFS.with(file) { $1.xShmUnmap($0, deletes) } }
    let place = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    place.initialize(to: methods)
    return UnsafePointer(place)
  }

  private static func handle(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<Handle>? {
    file.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Handle.self) }
  }

  private static func inner(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
    UnsafeMutableRawPointer(file).advanced(by: space).assumingMemoryBound(to: sqlite3_file.self)
  }

  /// Calls a method of the system's file.
  private static func with(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ call: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> Int32
  ) -> Int32 {
    guard let file, let methods = inner(file).pointee.pMethods else { return SQLITE_MISUSE }
    return call(inner(file), methods.pointee)
  }

  private static func note(_ file: UnsafeMutablePointer<sqlite3_file>?, _ event: (Int) -> DiskEvent) {
    guard let recorded = handle(file)?.pointee.file.takeUnretainedValue() else { return }
    recorded.recorder.note(event(recorded.number))
  }

  private static func noteSync(of file: UnsafeMutablePointer<sqlite3_file>?) {
    note(file) { .synced($0) }
    guard let recorded = handle(file)?.pointee.file.takeUnretainedValue() else { return }
    let folder = recorded.unsyncedFolder.withLock { folder in
      defer { folder = nil }
      return folder
    }
    if let folder { recorded.recorder.note(.syncedFolder(path: folder)) }
  }
}
