/// A request of a client: method, path, further header fields and body.
package struct ClientRequest: Hashable, Sendable {
  /// The method.
  package var method: String
  /// Path and query, percent-encoded.
  package var target: String
  /// Further header fields.
  package var fields: [HTTPField]
  /// The body's media type.
  package var contentType: String
  /// The body.
  package var body: [UInt8]

  /// A request of that method.
  package init(
    _ method: String, _ target: String, fields: [HTTPField] = [], contentType: String = "application/json",
    body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.fields = fields
    self.contentType = contentType
    self.body = body
  }

  /// A GET of that path.
  package init(getting target: String) { self.init("GET", target) }

  /// The request as bytes, for the server of that host.
  package func bytes(host: String) -> [UInt8] {
    var bytes: [UInt8] = []
    let head = HTTPRequestHead(method: method, target: target, host: host, contentType: contentType, fields: fields)
    bytes.appendRequest(head, body: body)
    return bytes
  }
}
