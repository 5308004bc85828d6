import ZoneKitCSQLite
import Glibc
import ZoneKitRecords

/// What a connection opens: the file itself or, for an observer of a WAL without its index or of a file that was being
/// made, a private copy.
struct ConnectionSource {
  /// The file as a URI with parameters (SQLite: uri.html).
  private let uri: String
  private let flags: Int32
  private let copy: String?

  /// The length of a WAL's header, which SQLite writes before the first page (SQLite: fileformat2.html, 4.1).
  private static let walHeaderSize: Int64 = 32
  /// The endings of the files that hold a database.
  private static let endings = ["", "-wal", "-journal"]

  init(path: String, access: Access) throws(StoreError) {
    for ending in Self.endings + ["-shm"] { try Folder.requireFile(path + ending) }
    switch access {
    case .create:
      try Self.refuseReadOnly(path)
      // SQLite gives its WAL the same permissions.
      Folder.makeFile(path)
      self.init(path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    case .existing:
      try Self.refuseReadOnly(path)
      self.init(path, flags: SQLITE_OPEN_READWRITE)
    case .observe: try self.init(observing: path)
    }
  }

  /// Chooses how an observer opens the file. SQLite makes a missing WAL and WAL index even for a read-only connection,
  /// and an observer must not make files (SQLite: wal.html, read-only databases). So the choice depends on which of
  /// them exist. With an index, the observer's locks keep a running owner from changing the pages that it reads, also
  /// if the WAL is empty.
  ///
  /// A killed owner can leave a WAL that has only a header and no page. Opened with the index, SQLite would retry for
  /// ten seconds and fail (SQLITE_PROTOCOL), so such a WAL is ignored.
  ///
  /// A rollback journal is there while a new file is switched to WAL. If that was interrupted, the file itself may be
  /// torn.
  private init(observing path: String) throws(StoreError) {
    let walSize = Folder.size(of: path + "-wal")
    if Folder.size(of: path + "-journal") > 0 {
      try self.init(copying: path)
    } else if walSize != Self.walHeaderSize, Folder.exists(path + "-wal"), Folder.exists(path + "-shm") {
      self.init(path, parameters: "?readonly_shm=1", flags: SQLITE_OPEN_READONLY)
    } else if walSize <= Self.walHeaderSize {
      self.init(path, parameters: "?immutable=1", flags: SQLITE_OPEN_READONLY)
    } else {
      try self.init(copying: path)
    }
  }

  /// Refuses a file that cannot be written. SQLite would open it for reading and fail later, because it cannot make the
  /// WAL.
  private static func refuseReadOnly(_ path: String) throws(StoreError) {
    for place in [path, Folder.parent(of: path)] where Glibc.access(place, W_OK) != 0 && errno != ENOENT {
      throw StoreError(errno: errno, doing: "opening for writing", place: place)
    }
  }

  private init(_ path: String, parameters: String = "", flags: Int32) {
    uri = Self.uri(path) + parameters
    self.flags = flags
    copy = nil
  }

  private init(copying path: String) throws(StoreError) {
    let folder = try Folder.makeTemporary()
    copy = folder
    let target = folder + "/copy"
    uri = Self.uri(target)
    flags = SQLITE_OPEN_READWRITE
    for ending in Self.endings where Folder.exists(path + ending) {
      try Folder.copyFile(path + ending, to: target + ending, isPassing: true)
    }
  }

  /// Opens the file. `path` is its name in errors. If it fails, the private copy is removed.
  func open(naming path: String) throws(StoreError) -> OpaquePointer {
    var opened: OpaquePointer?
    // One thread uses the connection, so it needs no mutex.
    let code = sqlite3_open_v2(uri, &opened, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      let error = StoreError(code, of: opened, path: path)
      sqlite3_close_v2(opened)
      remove()
      throw error
    }
    return opened
  }

  /// Removes the private copy, if there is one.
  func remove() {
    guard let copy else { return }
    for ending in Self.endings + ["-shm"] { unlink(copy + "/copy" + ending) }
    rmdir(copy)
  }

  /// The URI of a file. A path from the root stands behind an empty authority, so that one which begins with two slashes
  /// names no other machine.
  private static func uri(_ path: String) -> String { (path.hasPrefix("/") ? "file://" : "file:") + escape(path) }

  /// Percent-encodes a path for a URI.
  private static func escape(_ path: String) -> String {
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "%"): bytes += Array("%25".utf8)
      case UInt8(ascii: "?"): bytes += Array("%3f".utf8)
      case UInt8(ascii: "#"): bytes += Array("%23".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
