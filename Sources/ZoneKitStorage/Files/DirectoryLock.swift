import Glibc
import ZoneKitRecords

/// The exclusive ownership of a folder by one process: a lock on a file in it, whose content names the owner and its
/// addresses.
///
/// The system releases the lock when the process ends in any way, so a file left behind does not block a new owner.
/// Other processes may read the content at any time.
package final class DirectoryLock {
  /// The name of the lock file.
  package static let fileName = "owner.lock"

  /// The path of the lock file.
  package let path: String
  private let file: Int32

  /// Locks the folder, which is made if it is missing, and writes this process and `details` (keys and texts, for
  /// example addresses) to the lock file. Throws `busy` with the owner's process ID if another process, or this one,
  /// holds the lock.
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

  /// Replaces the details in the lock file. The content stays one line of JSON.
  package func note(_ details: [(key: String, text: String)]) throws(StoreError) {
    let members = details.map { ",\(Self.quote($0.key)):\(Self.quote($0.text))" }.joined()
    let line = "{\"pid\":\(getpid())\(members)}\n"
    guard ftruncate(file, 0) == 0, lseek(file, 0, SEEK_SET) == 0 else {
      throw StoreError(errno: errno, doing: "emptying the lock file", place: path)
    }
    try Folder.writeAll(Array(line.utf8)[...], to: file, place: path)
  }

  /// The content of the lock file, one line of JSON that begins with `{"pid":`; nil if no process holds the lock.
  package static func owner(of folder: String) throws(StoreError) -> String? {
    let path = folder + "/" + fileName
    guard Folder.exists(path), let file = try Folder.open(path, O_RDWR, doing: "opening the lock file") else {
      return nil
    }
    defer { close(file) }
    var lock = Glibc.flock()
    lock.l_type = Int16(F_WRLCK)
    guard fcntl(file, getLock, &lock) == 0 else { throw StoreError(errno: errno, doing: "asking", place: path) }
    guard lock.l_type != Int16(F_UNLCK) else { return nil }
    return String(decoding: try Folder.read(path) ?? [], as: UTF8.self)
  }

  // Locks of the open file and not of the process: closing the file elsewhere does not release them, and querying them
  // takes nothing (fcntl(2), open file description locks). F_OFD_GETLK and F_OFD_SETLK are not in the Glibc module.
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37

  private static func take(_ path: String, of folder: String) throws(StoreError) -> Int32 {
    guard let file = try Folder.open(path, O_RDWR | O_CREAT, doing: "opening the lock file") else {
      throw StoreError(errno: ENOENT, doing: "opening the lock file", place: path)
    }
    var lock = Glibc.flock()
    lock.l_type = Int16(F_WRLCK)
    if fcntl(file, setLock, &lock) == 0 {
      guard !isAt(path, file) else { return file }
      // The folder was replaced after the file was opened: the lock is that of a folder which is elsewhere now.
      close(file)
      return try take(path, of: folder)
    }
    let code = errno
    close(file)
    guard code == EAGAIN || code == EACCES else { throw StoreError(errno: code, doing: "locking", place: path) }
    let owner = try Folder.read(path).flatMap(pid).map { "process \($0)" } ?? "another process"
    throw StoreError(.busy, "\(folder) is in use by \(owner)", place: path)
  }

  /// Whether the path leads to that open file.
  private static func isAt(_ path: String, _ file: Int32) -> Bool {
    var (opened, there) = (Glibc.stat(), Glibc.stat())
    return fstat(file, &opened) == 0 && stat(path, &there) == 0 && opened.st_dev == there.st_dev
      && opened.st_ino == there.st_ino
  }

  /// The number after `{"pid":`.
  private static func pid(in content: [UInt8]) -> String? {
    let digits = content.drop { !isDigit($0) }.prefix(while: isDigit)
    return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// The text as a JSON string (RFC 8259, 7).
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
