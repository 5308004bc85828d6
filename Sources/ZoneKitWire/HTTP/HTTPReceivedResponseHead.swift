/// The status line and fields of a received response, before its body.
struct HTTPReceivedResponseHead {
  let status: Int
  let minorVersion: Int
  let fields: HTTPFields
  let framing: HTTPFraming

  /// Parses a complete head (RFC 9112, 4 and 5).
  init(_ head: [UInt8]) throws(HTTPError) {
    // "HTTP/1.1 200" and two line ends are the shortest head.
    guard head.count >= 16, head[..<7].elementsEqual("HTTP/1.".utf8), Self.isDigit(head[7]),
      head[8] == HTTPByte.space, head[9..<12].allSatisfy(Self.isDigit), head[9] != UInt8(ascii: "0")
    else { throw Self.badStatusLine }
    minorVersion = head[7] == UInt8(ascii: "0") ? 0 : 1
    status = head[9..<12].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    var position = 12
    // The reason phrase has no meaning for the parser. Some servers leave out the space before an empty one.
    if head[position] == HTTPByte.space {
      while HTTPByte.isFieldContent(head[position]) { position += 1 }
    }
    guard head[position] == HTTPByte.carriageReturn, head[position + 1] == HTTPByte.lineFeed else {
      throw Self.badStatusLine
    }
    fields = try HTTPFields(head: head, from: position + 2)
    framing = try HTTPFraming(fields, minorVersion: minorVersion)
  }

  /// Whether another response to the same request follows (RFC 9110, 15.2).
  var isInterim: Bool { status < 200 }

  /// Whether the response has no body, independent of its fields (RFC 9112, 6.3, rule 1).
  var hasNoBody: Bool { status == 204 || status == 304 }

  /// The response with its body. If the end of the connection ended the body, the connection is not kept alive.
  func response(body: [UInt8], ended: Bool) -> HTTPResponse {
    HTTPResponse(
      status: status, fields: fields, body: body,
      keepAlive: !ended && framing.keepsAlive(minorVersion: minorVersion))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static let badStatusLine = HTTPError.malformed(
    "A response must begin with HTTP/1.1 and a status of three digits.")
}
