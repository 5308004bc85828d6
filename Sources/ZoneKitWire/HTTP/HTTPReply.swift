import ZoneKitRecords

/// A complete reply to an HTTP request: status, header fields and body.
package struct HTTPReply: Hashable, Sendable {
  /// The status code.
  package var status: Int
  /// Header fields besides those that every reply has.
  package var fields: [HTTPField]
  /// The media type of the body. It is not sent with an empty body.
  package var contentType: String
  /// The body.
  package var body: [UInt8]

  /// A reply with that body.
  package init(
    status: Int, fields: [HTTPField] = [], contentType: String = "application/json", body: [UInt8] = []
  ) {
    self.status = status
    self.fields = fields
    self.contentType = contentType
    self.body = body
  }

  /// A reply with a JSON document.
  package init(_ document: JSON, status: Int = 200) {
    self.init(status: status, body: document.bytes(.pretty) + [UInt8(ascii: "\n")])
  }

  /// An error reply that belongs to no protocol: the status, and a sentence with the reason.
  package static func failure(_ status: Int, _ reason: String) -> HTTPReply {
    HTTPReply(["status": .integer(Int64(status)), "reason": .string(reason.errorText)], status: status)
  }

  /// The reply to a request that was refused before its path was known. Every protocol's client finds the error in it.
  package static func refusal(_ error: HTTPError) -> HTTPReply {
    let status = JSON.string(String(error.status))
    let reason = JSON.string(error.reason.errorText)
    return HTTPReply(
      [
        "status": .integer(Int64(error.status)), "reason": reason, "code": status, "statusCode": status,
        "error": .string(HTTPResponseHead.phrase(error.status)), "message": reason, "msg": reason, "details": .null,
        "hint": .null,
      ], status: error.status)
  }

  /// The reply to a request for a path without a route.
  package static func notServed(_ request: HTTPRequest) -> HTTPReply {
    failure(404, "nothing is served at \(request.path)")
  }
}
