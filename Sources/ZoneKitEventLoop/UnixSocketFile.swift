import ZoneKitCUV
import Glibc

/// The file of a Unix socket. It remains when its process dies, and bind(2) refuses the path until it is removed.
enum UnixSocketFile {
  /// Removes a socket file on which no process listens. Throws `EADDRINUSE` if a process listens, `EEXIST` if the file
  /// is not a socket, `ENOENT` if there is no folder, and `ENAMETOOLONG`. An error changes nothing.
  static func makeWay(for path: String) throws(LoopError) {
    // libuv would truncate a longer path and listen on a different one.
    guard !path.isEmpty, path.utf8.count <= Address.longestPath else { throw error(ENAMETOOLONG, path) }
    var status = stat()
    guard lstat(path, &status) == 0 else {
      // A missing file is the usual case. For a missing folder libuv would report "permission denied".
      guard errno == ENOENT, hasFolder(path) else { throw error(errno, path) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw error(EEXIST, path) }
    try removeIfStale(path)
  }

  private static func removeIfStale(_ path: String) throws(LoopError) {
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard probe >= 0 else { throw error(errno, path) }
    defer { close(probe) }
    let outcome = connect(probe, to: path)
    switch outcome {
    case 0, EAGAIN: throw error(EADDRINUSE, path)
    case ECONNREFUSED:
      guard unlink(path) == 0 || errno == ENOENT else { throw error(errno, path) }
    case ENOENT: return
    default: throw error(outcome, path)
    }
  }

  /// Connects to the path. Returns 0 or the `errno` of connect(2).
  private static func connect(_ descriptor: Int32, to path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return status == 0 ? 0 : errno
  }

  private static func hasFolder(_ path: String) -> Bool {
    guard let slash = path.lastIndex(of: "/") else { return true }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return access(folder, F_OK) == 0
  }

  private static func error(_ number: Int32, _ path: String) -> LoopError {
    LoopError(errno: number, "listen on", "unix:\(path)")
  }
}
