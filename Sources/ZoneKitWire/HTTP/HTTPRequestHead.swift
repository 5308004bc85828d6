/// The start line and fields of a request to send.
package struct HTTPRequestHead: Equatable, Sendable {
  /// The method, in uppercase.
  package var method: String
  /// Path and query, percent-encoded, beginning with "/".
  package var target: String
  /// Host and port of the server, as in the URL.
  package var host: String
  /// The media type of the body; nil for none.
  package var contentType: String?
  /// Further fields. The writer itself sets Host, Content-Type, Content-Length, Transfer-Encoding and Connection.
  package var fields: [HTTPField]
  /// Whether the connection stays open for another request. Otherwise `Connection: close` is sent.
  package var keepAlive: Bool

  /// A head.
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
