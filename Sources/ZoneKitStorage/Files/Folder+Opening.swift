import Glibc
import ZoneKitRecords

/// Opening and reading files of a store. Anything else at their paths could lead to other data or never end.
extension Folder {
  /// Opens the ordinary file at a path; nil if there is nothing. Throws if something else is there, without waiting for
  /// it: opening a pipe for reading waits for a writer (fifo(7)). `doing` is the purpose, for errors.
  static func open(_ path: String, _ flags: Int32, doing what: String) throws(StoreError) -> Int32? {
    let file = Glibc.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    let code = errno
    guard file >= 0 else {
      if let refusal = kind(of: path)?.refusal { throw StoreError(.corrupt, refusal, place: path) }
      guard code != ENOENT else { return nil }
      throw StoreError(errno: code, doing: what, place: path)
    }
    var status = stat()
    guard fstat(file, &status) == 0, let refusal = FileKind(mode: status.st_mode).refusal else { return file }
    close(file)
    throw StoreError(.corrupt, refusal, place: path)
  }

  /// Throws if there is something at that path that is no ordinary file.
  static func requireFile(_ path: String) throws(StoreError) {
    if let refusal = kind(of: path)?.refusal { throw StoreError(.corrupt, refusal, place: path) }
  }

  /// The whole content of a small file; nil if there is none. With `size` a file of another size is not read: then it
  /// throws.
  package static func read(_ path: String, size: Int? = nil) throws(StoreError) -> [UInt8]? {
    guard let file = try open(path, O_RDONLY, doing: "opening for reading") else { return nil }
    defer { close(file) }
    if let size {
      var status = stat()
      guard fstat(file, &status) == 0 else { throw StoreError(errno: errno, doing: "reading the size", place: path) }
      guard status.st_size == size else {
        throw StoreError(.corrupt, "the file has \(status.st_size) bytes instead of \(size)", place: path)
      }
    }
    return try readAll(file, place: path)
  }

  /// The whole content of a file that a user names, which may be a link or a pipe; nil if there is none.
  package static func readNamed(_ path: String) throws(StoreError) -> [UInt8]? {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      guard errno != ENOENT else { return nil }
      throw StoreError(errno: errno, doing: "opening for reading", place: path)
    }
    defer { close(file) }
    return try readAll(file, place: path)
  }

  private static func readAll(_ file: Int32, place: String) throws(StoreError) -> [UInt8] {
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      guard count >= 0 else { throw StoreError(errno: errno, doing: "reading", place: place) }
      guard count > 0 else { return content }
      content += buffer[..<count]
    }
  }
}
