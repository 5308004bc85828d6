/// The address on which a socket listens or to which it connects: `host:port` or `unix:/path`.
package enum Address: Hashable, Sendable {
  /// A TCP endpoint; the host is an IPv4 address, an IPv6 address without brackets, or a name. Port 0 means "any free".
  case tcp(host: String, port: UInt16)
  /// A Unix domain socket at a path of 1 to `longestPath` bytes.
  case unix(path: String)

  /// The longest path that fits a socket address, without its terminating NUL (unix(7), `sun_path`).
  package static let longestPath = 107
  /// The longest host name (RFC 1035, 2.3.4, in its text form).
  package static let longestName = 253

  /// Parses `host:port`, `[IPv6]:port` or `unix:/path`. For any other text it throws an error with the right form.
  package init(parsing text: String) throws(AddressError) {
    if text.hasPrefix("unix:") {
      self = .unix(path: try Self.path(in: text))
    } else {
      self = try Self.endpoint(in: text)
    }
  }

  /// Whether only this machine can reach it: a Unix socket, `localhost`, `127.0.0.0/8` or `::1`.
  package var isLoopback: Bool {
    switch self {
    case .unix: true
    case .tcp(let host, _):
      host.lowercased() == "localhost" || SocketAddress(literal: host, port: 0)?.isLoopback == true
    }
  }

  package var isUnix: Bool {
    switch self {
    case .unix: true
    case .tcp: false
    }
  }

  private static func path(in text: String) throws(AddressError) -> String {
    let path = String(text.dropFirst("unix:".count))
    guard !path.isEmpty else {
      throw AddressError(text: text, problem: "the path is missing, write unix:/path/to/socket")
    }
    guard !path.utf8.contains(0) else {
      throw AddressError(text: text, problem: "a path cannot contain a NUL byte")
    }
    guard path.utf8.count <= longestPath else {
      throw AddressError(
        text: text,
        problem: "its path has \(path.utf8.count) bytes, a Unix socket's path has at most \(longestPath)")
    }
    return path
  }

  private static func endpoint(in text: String) throws(AddressError) -> Address {
    guard let colon = text.lastIndex(of: ":") else {
      throw AddressError(text: text, problem: "write host:port, such as 127.0.0.1:7440, or unix:/path")
    }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits) else {
      throw AddressError(text: text, problem: "its port \"\(digits)\" is not a number from 0 to 65535")
    }
    return .tcp(host: try host(in: text, upTo: colon), port: port)
  }

  private static func host(in text: String, upTo colon: String.Index) throws(AddressError) -> String {
    let host = text[..<colon]
    guard !host.isEmpty else {
      throw AddressError(text: text, problem: "the host is missing, write 127.0.0.1\(text) or 0.0.0.0\(text)")
    }
    if host.first == "[", host.last == "]" {
      let inner = String(host.dropFirst().dropLast())
      guard inner.contains(":"), SocketAddress(literal: inner, port: 0) != nil else {
        throw AddressError(text: text, problem: "\"\(inner)\" is not an IPv6 address, write [::1]:7440")
      }
      return inner
    }
    if host.contains(":") {
      throw AddressError(text: text, problem: "an IPv6 address goes in brackets, write [\(host)]:port")
    }
    try checkName(host, of: text)
    return String(host)
  }

  /// Refuses a name whose last label is a number: it can only be a mistyped IPv4 address (URL Standard, "ends in a
  /// number").
  private static func checkName(_ name: Substring, of text: String) throws(AddressError) {
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    let isNumeric = labels.last.map { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } } ?? false
    if isNumeric {
      guard SocketAddress(literal: String(name), port: 0) != nil else {
        throw AddressError(
          text: text, problem: "\"\(name)\" is not an IPv4 address, which is four numbers from 0 to 255")
      }
      return
    }
    guard name.utf8.count <= longestName, name.utf8.allSatisfy(isNameByte) else {
      throw AddressError(
        text: text,
        problem: "a host name has at most \(longestName) letters, digits, dots, hyphens and underscores")
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}

extension Address: CustomStringConvertible {
  /// The text from which `init(parsing:)` makes the same address.
  package var description: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }
}
