import Glibc
import ZoneKitCUV

/// A listening socket that a service manager opened before it started this process (systemd: sd_listen_fds(3)).
package struct PassedSocket: Hashable, Sendable {
  /// The beginning of a text that names such a socket.
  package static let prefix = "systemd:"

  /// The descriptor. The one who listens on it owns it.
  package let descriptor: Int32
  /// The address on which it listens.
  package let address: Address

  /// The socket that a text such as `systemd:http` names. Throws if there is none, or if it is no listening socket of
  /// streams.
  package init(parsing text: String) throws(AddressError) {
    let passing = SocketPassing(process: getpid()) { name in getenv(name).map { String(cString: $0) } }
    descriptor = try passing.descriptor(named: String(text.dropFirst(Self.prefix.count)))
    guard Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
      Self.option(SO_ACCEPTCONN, of: descriptor) == 1, let address = Self.address(of: descriptor)
    else {
      throw AddressError(
        text: text,
        problem: "descriptor \(descriptor) is not a listening socket of streams; use ListenStream= and Accept=no")
    }
    self.address = address
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
  }

  private static func address(of descriptor: Int32) -> Address? {
    if let socket = SocketAddress(asking: { address, length in
      var size = socklen_t(length.pointee)
      let status = getsockname(descriptor, address, &size)
      length.pointee = Int32(size)
      return status
    }), socket.isInternet {
      return socket.address
    }
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard status == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    return withUnsafeBytes(of: address.sun_path) { bytes in
      .unix(path: String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    }
  }
}
