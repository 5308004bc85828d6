import Glibc

/// What the system says of a file without reading it. While it stays the same, nobody has written the file.
package struct FileStamp: Hashable, Sendable {
  private let inode: UInt64
  private let size: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  /// The stamp of the file at that path; nil if there is none.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = Int64(status.st_mtim.tv_sec)
    nanoseconds = Int64(status.st_mtim.tv_nsec)
  }

  /// The stamps of an SQLite database and of its log, which changes first.
  package static func database(_ path: String) -> [FileStamp?] { [FileStamp(path), FileStamp(path + "-wal")] }
}
