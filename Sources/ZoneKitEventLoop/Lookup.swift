import ZoneKitCUV
import Glibc

/// Resolves host names with the system's resolver.
enum Lookup {
  /// Blocks until the name is resolved. For start-up, before the loop runs. A numeric host is converted without a
  /// query.
  static func address(of host: String, port: UInt16, on loop: Loop) throws(LoopError) -> SocketAddress {
    if let literal = SocketAddress(literal: host, port: port) { return literal }
    var request = uv_getaddrinfo_t()
    var hints = hints
    let status = uv_getaddrinfo(loop.raw, &request, nil, host, nil, &hints)
    guard status == 0 else { throw LoopError(status, "find", "host \(host)") }
    defer { uv_freeaddrinfo(request.addrinfo) }
    guard let found = SocketAddress(firstOf: request.addrinfo, port: port) else {
      throw LoopError(UV_EAI_NODATA.rawValue, "find", "host \(host)")
    }
    return found
  }

  /// Resolves the name without blocking. At the end it calls `connection.found(_:)` or `connection.lookupFailed(_:)`,
  /// even if the connection has been closed in the meantime: the request retains it.
  static func begin(_ host: String, for connection: Connection) {
    let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
    request.pointee.data = Unmanaged.passRetained(connection).toOpaque()
    var hints = hints
    let status = uv_getaddrinfo(
      connection.loop.raw, request, { Lookup.finish($0, $1, $2) }, host, nil, &hints)
    if status != 0 { finish(request, status, nil) }
  }

  private static var hints: addrinfo {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    return hints
  }

  private static func finish(
    _ request: UnsafeMutablePointer<uv_getaddrinfo_t>?, _ status: Int32, _ list: UnsafeMutablePointer<addrinfo>?
  ) {
    defer { uv_freeaddrinfo(list) }
    guard let request, let data = request.pointee.data else { return }
    request.deallocate()
    let connection = Unmanaged<Connection>.fromOpaque(data).takeRetainedValue()
    guard status == 0 else { return connection.lookupFailed(status) }
    connection.found(list)
  }
}
