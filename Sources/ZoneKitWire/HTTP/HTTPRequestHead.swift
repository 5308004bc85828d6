/// The start line and fields of a request to send.
package struct HTTPRequestHead: Equatable, Sendable {
  /// The method, in capitals.
  package var method: String
  /// Path and query, percent-encoded, beginning with "/".
  package var target: String
  /// Host and port of the server as the URL has them.
  package var host: String
  /// The type of the body, left out where nil.
  package var contentType: String?
  /// Further fields; not Host, Content-Type, Content-Length, Transfer-Encoding or Connection, which the writer sets.
  package var fields: [HTTPField]
  /// Whether the connection stays open for another request; otherwise `Connection: close` is said.
  package var keepAlive: Bool

  /// Makes a head.
  package init(
    method: String, target: String, host: String, contentType: String? = nil, fields: [HTTPField] = [],
    keepAlive: Bool = true
  ) {
    self.method = method
    self.target = target
    self.host = host
    self.contentType = contentType
    self.fields = fields
    self.keepAlive = keepAlive
  }
}
