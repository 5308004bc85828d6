import ZoneKitRecords

/// Decides which requests the control interface below `/zonekit/` accepts.
///
/// The interface can delete data, and a web browser on the same machine reaches it. So a page of another origin must
/// not use it: neither by a request that a browser sends without asking first, nor under a host name that the page's
/// owner has pointed at this machine.
package struct ControlAccess: Sendable {
  /// The key that every request needs; nil if none is needed.
  package let key: String?
  /// Whether the server listens on a Unix socket, which no browser reaches, so that any host name is right.
  private let isSocket: Bool

  /// The access with that key, to a server that listens on a Unix socket or on an address.
  package init(key: String? = nil, isSocket: Bool = false) {
    self.key = key
    self.isSocket = isSocket
  }

  /// The header field for a request with that key.
  package static func field(key: String) -> HTTPField { HTTPField("Authorization", "Bearer \(key)") }

  /// Why a request is refused; nil if it is accepted.
  package func refusal(of request: HTTPRequest) -> CloudError? {
    if let key, request.fields["Authorization"] != Self.field(key: key).value {
      let place = "the server's ready line and the file owner.lock of its cloud folder have the key"
      return CloudError(
        .permissionFailure,
        "with --auth strict this needs Authorization: Bearer KEY; \(place); --auth open on a loopback address needs none"
      )
    }
    if let error = hostRefusal(of: request) { return error }
    let host = request.fields["Host"]
    if let origin = request.fields["Origin"], host == nil || origin.lowercased() != "http://\(host ?? "")".lowercased()
    {
      return CloudError(.permissionFailure, "web pages of the origin \(origin) may not use /zonekit/")
    }
    // A browser says so also of requests for which it sends no origin (W3C Fetch Metadata Request Headers, 2.3).
    if let site = request.fields["Sec-Fetch-Site"], !["same-origin", "none"].contains(site.lowercased()) {
      return CloudError(.permissionFailure, "web pages of other sites may not use /zonekit/")
    }
    return nil
  }

  /// Why a request is refused because of the host that it names; nil if it is not.
  package func hostRefusal(of request: HTTPRequest) -> CloudError? {
    guard !isSocket, let host = request.fields["Host"], !Self.isLocal(host) else { return nil }
    return CloudError(.permissionFailure, "the host \(host) is a name; use an IP address or localhost")
  }

  /// Why a request for metrics is refused; nil if it is accepted. `isLocal` tells whether it comes from this machine.
  ///
  /// Prometheus reads at any time, and the key is another one after each start. So programs of this machine read sums
  /// without it. Names of zones and users need it, and so does what a proxy passes on for someone else.
  package func refusal(ofMetrics request: HTTPRequest, isLocal: Bool, withZones: Bool) -> CloudError? {
    let isForwarded = Self.fieldsOfProxies.contains { request.fields[$0] != nil }
    let needsKey = !isLocal || isForwarded || withZones
    return ControlAccess(key: needsKey ? key : nil, isSocket: isSocket).refusal(of: request)
  }

  /// The fields in which proxies name the client (RFC 7239; RFC 9110, 7.6.3).
  private static let fieldsOfProxies = ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"]

  /// Why the body of a request is refused; nil if it is accepted. A browser sends a body of another type for any page
  /// without asking first. A body without a type is accepted: with it a browser sends the page's origin, which decides.
  package func refusal(ofBodyOf request: HTTPRequest) -> CloudError? {
    guard let type = request.fields["Content-Type"], !Self.isJSON(type) else { return nil }
    return CloudError(.invalidArguments, "the body must be JSON, with the header field Content-Type: application/json")
  }

  /// Whether a media type is JSON, with any parameters.
  private static func isJSON(_ type: String) -> Bool {
    let name = type.prefix { $0 != ";" }
    return String(name.filter { $0 != " " && $0 != "\t" }).lowercased() == "application/json"
  }

  /// Whether a host is `localhost` or an IP address, with or without a port.
  private static func isLocal(_ host: String) -> Bool {
    let bytes = Array(host.utf8)
    if bytes.first == UInt8(ascii: "[") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
      let address = bytes[1..<end]
      return !address.isEmpty && address.contains(UInt8(ascii: ":")) && address.allSatisfy(Self.isOfAddress)
        && isPort(bytes[(end + 1)...])
    }
    let name = bytes.prefix { $0 != UInt8(ascii: ":") }
    guard isPort(bytes[name.endIndex...]) else { return false }
    let text = String(decoding: name, as: UTF8.self).lowercased()
    return text == "localhost" || text == "localhost." || isIPv4(text)
  }

  /// Whether a byte can be part of an IPv6 address.
  private static func isOfAddress(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return true }
    let digits = bytes.dropFirst()
    return first == UInt8(ascii: ":")
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static func isIPv4(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { $0.count <= 3 && $0.utf8.allSatisfy { (48...57).contains($0) } && UInt8($0) != nil }
  }
}
