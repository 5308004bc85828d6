import ZoneKitRecords
import ZoneKitWire

/// A whole answer of the HTTP side: status, extra header fields, body.
struct HTTPReply {
  /// The status code.
  var status: Int
  /// Header fields besides those that every answer has.
  var fields: [HTTPField] = []
  /// The body's media type.
  var contentType = "application/json"
  /// The body.
  var body: [UInt8]

  /// An answer in CloudKit's form of an error.
  static func failure(_ error: CloudError, uuid: String, allow: [String] = []) -> HTTPReply {
    let response = CloudKitResponse(error, uuid: uuid)
    var reply = HTTPReply(response)
    if !allow.isEmpty {
      reply.status = 405
      reply.fields.append(HTTPField("Allow", allow.joined(separator: ", ")))
    }
    return reply
  }

  /// An answer of CloudKit Web Services.
  init(_ response: CloudKitResponse) {
    self.init(status: response.status, body: response.body)
    if let seconds = response.retryAfterSeconds { fields.append(HTTPField("Retry-After", String(seconds))) }
  }

  /// An answer with that body.
  init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }
}
