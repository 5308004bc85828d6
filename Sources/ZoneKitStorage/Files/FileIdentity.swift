import Glibc

/// Identifies a file independently of its path. A file that is replaced by another one has a new identity.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  /// The identity of the file at that path; nil if there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
