/// A received request.
package struct HTTPRequest: Equatable, Sendable {
  /// The method. Methods are case-sensitive.
  package let method: String
  /// The path, still percent-encoded, beginning with "/"; "*" for `OPTIONS *`.
  package let path: String
  /// The part after the first "?", still percent-encoded; nil if there is none.
  package let query: String?
  /// The minor version of HTTP/1: 0, or 1 for all later ones.
  package let minorVersion: Int
  /// The fields of the head.
  package let fields: HTTPFields
  /// Whether the connection stays open after the answer. Otherwise the answer has `Connection: close`.
  package let keepAlive: Bool
  /// The length of the body in bytes, if the head contains it.
  package let contentLength: Int?
  /// The protocol to which the client wants to switch on this connection (RFC 9110, 7.8); nil for none.
  package let upgrade: String?
  /// The body, without the framing of chunks; empty if there is none or if it is received in chunks.
  package var body: [UInt8] = []

  /// Path and query; for a target in absolute form without scheme and host.
  package var target: String { query.map { path + "?" + $0 } ?? path }

  /// The decoded segments of the path. They are decoded separately, so that an encoded slash stays inside its segment.
  /// A path that ends in "/" ends with an empty segment. Dots are not resolved. Throws 400 if a segment is wrongly
  /// encoded or not UTF-8.
  package func pathSegments() throws(HTTPError) -> [String] {
    var segments: [String] = []
    for segment in path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let decoded = HTTPPercent.decode(segment) else {
        throw .malformed("A path must be UTF-8 with '%' only before two hexadecimal digits.")
      }
      segments.append(decoded)
    }
    return segments
  }

  /// The items of the query; empty if there is no query. Throws 400 if an item is wrongly encoded.
  package func queryItems() throws(HTTPError) -> HTTPQuery { try HTTPQuery(parsing: query ?? "") }
}
