import ZoneKitCSQLite
import Glibc
import ZoneKitRecords

extension StoreError {
  /// The error of the last call on a connection: the result code's name and number, SQLite's message, the system's
  /// error and the statement.
  init(_ code: Int32, of database: OpaquePointer?, path: String, sql: String? = nil) {
    let extended = database.map { sqlite3_extended_errcode($0) } ?? code
    let system = database.map { sqlite3_system_errno($0) } ?? 0
    let said = database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    var message = "\(Self.name(of: code & 0xFF)) (\(extended)): \(said)"
    if Self.touchesSystem(code & 0xFF), system != 0 { message += ", \(Self.describe(errno: system))" }
    if let sql { message += "; SQL: \(sql)" }
    self.init(Self.kind(of: code & 0xFF, system: system), message, place: path)
  }

  /// The error of a system call.
  init(errno code: Int32, doing action: String, place: String) {
    self.init(Self.kind(ofErrno: code) ?? .failed, "\(action): \(Self.describe(errno: code))", place: place)
  }

  private static func describe(errno code: Int32) -> String { "\(String(cString: strerror(code))) (errno \(code))" }

  private static func touchesSystem(_ code: Int32) -> Bool { code == SQLITE_IOERR || code == SQLITE_CANTOPEN }

  private static func kind(of code: Int32, system: Int32) -> Kind {
    switch code {
    case SQLITE_FULL: .full
    case SQLITE_READONLY, SQLITE_PERM: .readOnly
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
    case SQLITE_INTERRUPT: .interrupted
    case SQLITE_IOERR, SQLITE_CANTOPEN: kind(ofErrno: system) ?? .failed
    default: .failed
    }
  }

  private static func kind(ofErrno code: Int32) -> Kind? {
    switch code {
    case ENOSPC, EDQUOT: .full
    case EROFS, EACCES, EPERM: .readOnly
    case EWOULDBLOCK, EBUSY: .busy
    default: nil
    }
  }

  /// The name of a primary result code (SQLite: rescode.html).
  private static func name(of code: Int32) -> String {
    switch code {
    case SQLITE_ERROR: "SQLITE_ERROR"
    case SQLITE_INTERNAL: "SQLITE_INTERNAL"
    case SQLITE_PERM: "SQLITE_PERM"
    case SQLITE_ABORT: "SQLITE_ABORT"
    case SQLITE_BUSY: "SQLITE_BUSY"
    case SQLITE_LOCKED: "SQLITE_LOCKED"
    case SQLITE_NOMEM: "SQLITE_NOMEM"
    case SQLITE_READONLY: "SQLITE_READONLY"
    case SQLITE_INTERRUPT: "SQLITE_INTERRUPT"
    case SQLITE_IOERR: "SQLITE_IOERR"
    case SQLITE_CORRUPT: "SQLITE_CORRUPT"
    case SQLITE_NOTFOUND: "SQLITE_NOTFOUND"
    case SQLITE_FULL: "SQLITE_FULL"
    case SQLITE_CANTOPEN: "SQLITE_CANTOPEN"
    case SQLITE_PROTOCOL: "SQLITE_PROTOCOL"
    case SQLITE_SCHEMA: "SQLITE_SCHEMA"
    case SQLITE_TOOBIG: "SQLITE_TOOBIG"
    case SQLITE_CONSTRAINT: "SQLITE_CONSTRAINT"
    case SQLITE_MISMATCH: "SQLITE_MISMATCH"
    case SQLITE_MISUSE: "SQLITE_MISUSE"
    case SQLITE_NOLFS: "SQLITE_NOLFS"
    case SQLITE_AUTH: "SQLITE_AUTH"
    case SQLITE_RANGE: "SQLITE_RANGE"
    case SQLITE_NOTADB: "SQLITE_NOTADB"
    default: "SQLite"
    }
  }
}
