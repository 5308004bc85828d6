import Glibc
import ZoneKitRecords

/// A folder held by one process: a lock on a file in it, whose content says who holds it and where to reach it.
///
/// The system drops the lock when the process ends, however it ends, so that a file left behind is no obstacle. Others may
/// read the content at any time.
package final class DirectoryLock {
  /// The lock file's name.
  package static let fileName = "owner.lock"

  /// The lock file.
  package let path: String
  private let file: Int32

  /// Takes the folder, made where it is missing, and notes this process and `details` (keys and texts, for example
  /// addresses). Refused with `busy`, naming the owner's pid, while another process, or this one, holds it.
  package init(_ folder: String, details: [(key: String, text: String)] = []) throws(StoreError) {
    try Folder.make(folder)
    path = folder + "/" + Self.fileName
    file = try Self.take(path, of: folder)
    try note(details)
  }

  /// Empties the file, so that no reader takes this process for the owner, and releases the lock.
  deinit {
    ftruncate(file, 0)
    close(file)
  }

  /// Replaces what the file says besides the pid: one line of JSON.
  package func note(_ details: [(key: String, text: String)]) throws(StoreError) {
    let members = details.map { ",\(Self.quote($0.key)):\(Self.quote($0.text))" }.joined()
    let line = "{\"pid\":\(getpid())\(members)}\n"
    guard ftruncate(file, 0) == 0, lseek(file, 0, SEEK_SET) == 0 else {
      throw StoreError(errno: errno, doing: "emptying the lock file", place: path)
    }
    try Folder.writeAll(Array(line.utf8)[...], to: file, place: path)
  }

  /// The owner's note, as one line of JSON beginning with `{"pid":`; nil where no process holds the folder.
  package static func owner(of folder: String) throws(StoreError) -> String? {
    let path = folder + "/" + fileName
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else {
      guard errno != ENOENT, errno != ENOTDIR else { return nil }
      throw StoreError(errno: errno, doing: "opening the lock file", place: path)
    }
    defer { close(file) }
    var lock = Glibc.flock()
    lock.l_type = Int16(F_WRLCK)
    guard fcntl(file, getLock, &lock) == 0 else { throw StoreError(errno: errno, doing: "asking", place: path) }
    guard lock.l_type != Int16(F_UNLCK) else { return nil }
    return String(decoding: try Folder.read(path) ?? [], as: UTF8.self)
  }

  // Locks of the open file, not of the process: closing the file elsewhere does not end them, and asking for them takes
  // nothing (fcntl(2), open file description locks; F_OFD_GETLK and F_OFD_SETLK, which the Glibc module lacks).
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37

  private static func take(_ path: String, of folder: String) throws(StoreError) -> Int32 {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw StoreError(errno: errno, doing: "opening the lock file", place: path) }
    var lock = Glibc.flock()
    lock.l_type = Int16(F_WRLCK)
    guard fcntl(file, setLock, &lock) != 0 else { return file }
    let code = errno
    close(file)
    guard code == EAGAIN || code == EACCES else { throw StoreError(errno: code, doing: "locking", place: path) }
    let owner = try Folder.read(path).flatMap(pid).map { "process \($0)" } ?? "another process"
    throw StoreError(.busy, "\(folder) is in use by \(owner)", place: path)
  }

  /// The number behind `{"pid":`.
  private static func pid(in content: [UInt8]) -> String? {
    let digits = content.drop { !isDigit($0) }.prefix(while: isDigit)
    return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// A JSON string (RFC 8259, 7).
  private static func quote(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
