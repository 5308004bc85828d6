import ZoneKitCUV
import Glibc

/// A numeric TCP endpoint in the form that the kernel uses.
struct SocketAddress {
  private var storage = sockaddr_storage()

  /// The endpoint of an IPv4 or IPv6 address; nil if `host` is neither.
  init?(literal host: String, port: UInt16) {
    guard !host.utf8.contains(0) else { return nil }
    let isIPv6 = host.contains(":")
    let status = withUnsafeMutableBytes(of: &storage) { bytes in
      isIPv6
        ? uv_ip6_addr(host, Int32(port), bytes.baseAddress!.assumingMemoryBound(to: sockaddr_in6.self))
        : uv_ip4_addr(host, Int32(port), bytes.baseAddress!.assumingMemoryBound(to: sockaddr_in.self))
    }
    guard status == 0 else { return nil }
  }

  /// The endpoint of a lookup's result. IPv4 is preferred: a name for this machine (`localhost`) yields both, and the
  /// services here listen on 127.0.0.1 by default.
  init?(firstOf list: UnsafeMutablePointer<addrinfo>?, port: UInt16) {
    var chosen: UnsafeMutablePointer<addrinfo>?
    var entry = list
    while let current = entry {
      if current.pointee.ai_family == AF_INET {
        chosen = current
        break
      }
      if current.pointee.ai_family == AF_INET6, chosen == nil { chosen = current }
      entry = current.pointee.ai_next
    }
    guard let chosen else { return nil }
    withUnsafeMutableBytes(of: &storage) { bytes in
      bytes.copyMemory(
        from: UnsafeRawBufferPointer(start: chosen.pointee.ai_addr, count: Int(chosen.pointee.ai_addrlen)))
      // The port is at the same offset in both families, in network byte order.
      bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
    }
  }

  /// The endpoint that `getname` (`uv_tcp_getsockname`, `uv_tcp_getpeername`) returns; nil if it fails.
  init?(asking getname: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<Int32>) -> Int32) {
    var length = Int32(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutableBytes(of: &storage) { bytes in
      getname(bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
    }
    guard status == 0 else { return nil }
  }

  /// Calls `body` with a pointer to the address, which is valid during the call.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    withUnsafeBytes(of: storage) { body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self)) }
  }

  /// Whether it is an address of IPv4 or IPv6.
  var isInternet: Bool { [sa_family_t(AF_INET), sa_family_t(AF_INET6)].contains(storage.ss_family) }

  /// Whether the address is in 127.0.0.0/8 (RFC 1122, 3.2.1.3) or is ::1 (RFC 4291, 2.5.3).
  var isLoopback: Bool {
    withUnsafeBytes(of: storage) { bytes in
      if storage.ss_family == sa_family_t(AF_INET) { return bytes[4] == 127 }
      return bytes[8..<23].allSatisfy { $0 == 0 } && bytes[23] == 1
    }
  }

  /// The one to whom an address belongs: an IPv4 address, or the first half of an IPv6 address, because a site has all
  /// addresses with it (RFC 4291, 2.5.1).
  struct Peer: Hashable {
    private let isIPv6: Bool
    private let number: UInt64

    fileprivate init(_ isIPv6: Bool, _ number: UInt64) { (self.isIPv6, self.number) = (isIPv6, number) }
  }

  /// The one to whom the address belongs. An IPv4 address in IPv6 form (RFC 4291, 2.5.5.2) is one of IPv4.
  var peer: Peer {
    withUnsafeBytes(of: storage) { bytes in
      if storage.ss_family == sa_family_t(AF_INET) {
        return Peer(false, UInt64(bytes.load(fromByteOffset: 4, as: UInt32.self)))
      }
      let isMapped = bytes[8..<18].allSatisfy { $0 == 0 } && bytes[18] == 0xFF && bytes[19] == 0xFF
      return isMapped
        ? Peer(false, UInt64(bytes.load(fromByteOffset: 20, as: UInt32.self)))
        : Peer(true, bytes.load(fromByteOffset: 8, as: UInt64.self))
    }
  }

  /// The same endpoint as a value for messages.
  var address: Address {
    var name = [CChar](repeating: 0, count: 64)
    let status = withPointer { uv_ip_name($0, &name, name.count) }
    precondition(status == 0, "a TCP socket's address is IPv4 or IPv6")
    let port = withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
    let text = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return .tcp(host: String(decoding: text, as: UTF8.self), port: port)
  }
}
