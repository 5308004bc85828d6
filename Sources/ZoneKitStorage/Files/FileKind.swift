import Glibc

/// What is at a path. A symbolic link is one whatever it leads to.
package enum FileKind: String, Hashable, Sendable {
  /// An ordinary file, which holds bytes.
  case file = "an ordinary file"
  case folder = "a folder"
  case link = "a symbolic link"
  case pipe = "a named pipe"
  case socket = "a socket"
  case device = "a device"

  /// The kind that the mode of a file names (inode(7)).
  init(mode: mode_t) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      default: .device
      }
  }

  /// Why something of that kind is not opened as a file of a store; nil for an ordinary file.
  var refusal: String? { self == .file ? nil : "this is no ordinary file but \(rawValue)" }
}
