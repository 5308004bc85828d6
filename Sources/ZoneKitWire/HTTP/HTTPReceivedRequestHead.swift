/// The start line and fields of a received request, before its body.
struct HTTPReceivedRequestHead {
  let method: String
  let path: String
  let query: String?
  let minorVersion: Int
  let fields: HTTPFields
  let framing: HTTPFraming

  /// Parses a complete head (RFC 9112, 3 and 5).
  init(_ head: [UInt8]) throws(HTTPError) {
    var position = 0
    while HTTPByte.isToken(head[position]) { position += 1 }
    guard position > 0, head[position] == HTTPByte.space else { throw Self.badStartLine }
    let method = head[..<position]
    let target = position + 1
    position = target
    while HTTPByte.isTarget(head[position]) { position += 1 }
    guard position - target <= HTTPLimits.target else {
      throw HTTPError(status: 414, reason: "A request target may have at most \(HTTPLimits.target) bytes.")
    }
    guard position > target, head[position] == HTTPByte.space else { throw Self.badStartLine }
    self.method = String(decoding: method, as: UTF8.self)
    let targetEnd = position
    minorVersion = try Self.version(in: head, at: position + 1)
    (path, query) = try Self.split(head[target..<targetEnd], isOptions: self.method == "OPTIONS")
    fields = try HTTPFields(head: head, from: position + 11)
    framing = try HTTPFraming(fields, minorVersion: minorVersion)
    guard framing.hostCount == 1 || framing.hostCount == 0 && minorVersion == 0 else {
      throw .malformed("A request must have exactly one Host.")
    }
  }

  /// The request without its body. `upgrade` is ignored for HTTP/1.0, and for a request with a body, because the start
  /// of the other protocol would not be defined.
  var request: HTTPRequest {
    let canUpgrade = framing.saysUpgrade && minorVersion > 0 && !framing.isChunked && framing.contentLength ?? 0 == 0
    return HTTPRequest(
      method: method, path: path, query: query, minorVersion: minorVersion, fields: fields,
      keepAlive: framing.keepsAlive(minorVersion: minorVersion), contentLength: framing.contentLength,
      upgrade: canUpgrade ? fields["Upgrade"] : nil)
  }

  private static func version(in head: [UInt8], at start: Int) throws(HTTPError) -> Int {
    // "HTTP/1.1" and its line end are ten bytes. The empty line after every head makes the access safe.
    guard head.count >= start + 12, head[start..<start + 5].elementsEqual("HTTP/".utf8),
      isDigit(head[start + 5]), head[start + 6] == UInt8(ascii: "."), isDigit(head[start + 7]),
      head[start + 8] == HTTPByte.carriageReturn, head[start + 9] == HTTPByte.lineFeed
    else { throw badStartLine }
    guard head[start + 5] == UInt8(ascii: "1") else {
      throw HTTPError(status: 505, reason: "The version must be HTTP/1.1 or HTTP/1.0.")
    }
    return head[start + 7] == UInt8(ascii: "0") ? 0 : 1
  }

  /// The path and query of a target in origin form, in absolute form, or of `OPTIONS *` (RFC 9112, 3.2).
  private static func split(
    _ target: ArraySlice<UInt8>, isOptions: Bool
  ) throws(HTTPError) -> (path: String, query: String?) {
    if isOptions, target.elementsEqual("*".utf8) { return ("*", nil) }
    let origin = try originForm(target)
    guard let mark = origin.firstIndex(of: UInt8(ascii: "?")) else {
      return (String(decoding: origin, as: UTF8.self), nil)
    }
    let path = mark == origin.startIndex ? "/" : String(decoding: origin[..<mark], as: UTF8.self)
    return (path, String(decoding: origin[(mark + 1)...], as: UTF8.self))
  }

  private static func originForm(_ target: ArraySlice<UInt8>) throws(HTTPError) -> ArraySlice<UInt8> {
    if target.first == UInt8(ascii: "/") { return target }
    for scheme in ["http://", "https://"]
    where target.prefix(scheme.utf8.count).map(HTTPByte.lowercased).elementsEqual(scheme.utf8) {
      let authority = target.dropFirst(scheme.utf8.count)
      let end = authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
      guard let end else { return ArraySlice("/".utf8) }
      if end > authority.startIndex { return authority[end...] }
    }
    throw .malformed("A request target must begin with '/', or with 'http://' and a host.")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static let badStartLine = HTTPError.malformed(
    "A request must begin with a method, a target of visible ASCII and HTTP/1.1, with one space between.")
}
