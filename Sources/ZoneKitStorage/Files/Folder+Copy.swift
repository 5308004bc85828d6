import Glibc
import ZoneKitRecords

extension Folder {
  /// Copies a file byte by byte, replaces a file at the target path, and syncs the copy unless `isPassing`.
  ///
  /// Do not use it for a SQLite file that this process has open: closing the file here would release SQLite's locks
  /// (SQLite: howtocorrupt.html, 2.2). Use `Backup` for those.
  package static func copyFile(
    _ path: String, to target: String, isPassing: Bool = false
  ) throws(StoreError) {
    guard let source = try open(path, O_RDONLY, doing: "opening for reading") else {
      throw StoreError(errno: ENOENT, doing: "opening for reading", place: path)
    }
    defer { close(source) }
    let copy = try create(target)
    defer { close(copy) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(source, &buffer, buffer.count)
      guard count >= 0 else { throw StoreError(errno: errno, doing: "reading", place: path) }
      guard count > 0 else { break }
      try writeAll(buffer[..<count], to: copy, place: target)
    }
    guard isPassing || StoreTimes.sync({ fsync(copy) }) == 0 else {
      throw StoreError(errno: errno, doing: "syncing", place: target)
    }
  }

  /// Makes an empty file that only its owner may read, if there is none. An error is ignored, because opening the file
  /// afterwards fails in the same way.
  static func makeFile(_ path: String) {
    let file = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    close(file)
    report(.wrote(path, []))
  }

  /// Replaces a file atomically: at any moment, even after a power cut, the path holds either the old or the new
  /// content.
  package static func write(_ content: [UInt8], to path: String) throws(StoreError) {
    let draft = path + ".new"
    let file = try create(draft)
    defer { close(file) }
    try writeAll(content[...], to: file, place: draft)
    report(.wrote(draft, content))
    guard StoreTimes.sync({ fsync(file) }) == 0 else { throw StoreError(errno: errno, doing: "syncing", place: draft) }
    report(.syncedFile(draft))
    try rename(draft, to: path)
  }

  /// Opens a new, empty file in the place of whatever is at that path, except a folder.
  static func create(_ path: String) throws(StoreError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    var file = Glibc.open(path, flags, 0o600)
    if file < 0, errno == EEXIST, unlink(path) == 0 { file = Glibc.open(path, flags, 0o600) }
    guard file >= 0 else { throw StoreError(errno: errno, doing: "opening for writing", place: path) }
    return file
  }

  /// Writes all bytes, with as many system calls as needed.
  static func writeAll(_ bytes: ArraySlice<UInt8>, to file: Int32, place: String) throws(StoreError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw StoreError(errno: errno, doing: "writing", place: place) }
      rest = rest.dropFirst(max(count, 0))
    }
  }
}
