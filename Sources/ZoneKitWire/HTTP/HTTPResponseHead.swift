/// The status line and fields of a response to send.
package struct HTTPResponseHead: Equatable, Sendable {
  /// The status, 200 to 599.
  package var status: Int
  /// The media type of the body; nil for none.
  package var contentType: String?
  /// Further fields. The writer itself sets Content-Type, Content-Length, Transfer-Encoding and Connection.
  package var fields: [HTTPField]
  /// Whether the connection stays open. Otherwise `Connection: close` is sent.
  package var keepAlive: Bool
  /// Whether this is an answer to HEAD: the head contains the length, and the body is left out.
  package var omitsBody: Bool

  /// A head.
  package init(
    status: Int, contentType: String? = nil, fields: [HTTPField] = [], keepAlive: Bool = true, omitsBody: Bool = false
  ) {
    self.status = status
    self.contentType = contentType
    self.fields = fields
    self.keepAlive = keepAlive
    self.omitsBody = omitsBody
  }

  /// The head of the answer to a request. The connection stays open if the request asks for that; for an HTTP/1.0
  /// client a field confirms it. The answer to HEAD has no body.
  package init(
    answering request: HTTPRequest, status: Int, contentType: String? = nil, fields: [HTTPField] = []
  ) {
    let announced = request.keepAlive && request.minorVersion == 0 ? [HTTPField("Connection", "keep-alive")] : []
    self.init(
      status: status, contentType: contentType, fields: fields + announced, keepAlive: request.keepAlive,
      omitsBody: request.method == "HEAD")
  }

  /// The head of a complete reply, with further fields.
  package func completed(by reply: HTTPReply, fields: [HTTPField]) -> HTTPResponseHead {
    var head = self
    head.contentType = reply.body.isEmpty ? nil : reply.contentType
    head.fields += reply.fields + fields
    return head
  }

  /// Whether a body follows the head.
  package var hasBody: Bool { !omitsBody && status != 204 }

  /// The reason phrase of a status (RFC 9110, 15); empty for a status that is not used here.
  static func phrase(_ status: Int) -> String {
    switch status {
    case 200: return "OK"
    case 201: return "Created"
    case 204: return "No Content"
    case 206: return "Partial Content"
    case 304: return "Not Modified"
    case 400: return "Bad Request"
    case 401: return "Unauthorized"
    case 403: return "Forbidden"
    case 404: return "Not Found"
    case 405: return "Method Not Allowed"
    case 406: return "Not Acceptable"
    case 408: return "Request Timeout"
    case 409: return "Conflict"
    case 410: return "Gone"
    case 412: return "Precondition Failed"
    case 413: return "Content Too Large"
    case 414: return "URI Too Long"
    case 415: return "Unsupported Media Type"
    case 416: return "Range Not Satisfiable"
    case 417: return "Expectation Failed"
    case 421: return "Misdirected Request"
    case 422: return "Unprocessable Content"
    case 429: return "Too Many Requests"
    case 431: return "Request Header Fields Too Large"
    case 500: return "Internal Server Error"
    case 501: return "Not Implemented"
    case 502: return "Bad Gateway"
    case 503: return "Service Unavailable"
    case 505: return "HTTP Version Not Supported"
    default: return ""
    }
  }
}
