import Glibc
import ZoneKitCUV

/// The socket on which a service manager hears of the state of this process (systemd: sd_notify(3)).
package struct NotifySocket: Sendable {
  private let path: String
  /// The time within which the manager wants to hear that the process is alive, in milliseconds; nil if it does not.
  package let watchdog: Int64?

  /// The socket that the environment of this process names; nil if there is none.
  package init?() { self.init(process: getpid()) { name in getenv(name).map { String(cString: $0) } } }

  /// The socket that those variables name; nil if they name none, or another kind of it than a path or an abstract name.
  init?(process: Int32, _ variable: (String) -> String?) {
    guard let path = variable("NOTIFY_SOCKET"), path.first == "/" || path.first == "@", path.utf8.count > 1,
      path.utf8.count <= Address.longestPath
    else { return nil }
    self.path = path
    let isMeant = variable("WATCHDOG_PID").map { Int32($0) == process } ?? true
    let time = variable("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
    watchdog = isMeant && time > 0 ? max(2, time / 1_000) : nil
  }

  /// Sends a state such as `READY=1`. A manager that does not listen hears nothing, as sd_notify(3) advises.
  package func send(_ state: String) {
    let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard file >= 0 else { return }
    defer { close(file) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The name of an abstract socket begins with a NUL (unix(7)).
    let name = path.utf8.first == UInt8(ascii: "@") ? [0] + Array(path.utf8.dropFirst()) : Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let bytes = Array(state.utf8)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(file, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }
}
