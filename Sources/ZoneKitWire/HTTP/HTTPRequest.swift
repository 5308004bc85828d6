/// One request.
package struct HTTPRequest: Equatable, Sendable {
  /// The method as sent; methods are case-sensitive.
  package let method: String
  /// The path as sent, still percent-encoded, beginning with "/"; "*" for `OPTIONS *`.
  package let path: String
  /// What follows the first "?", still percent-encoded; nil where there is none.
  package let query: String?
  /// The minor version of HTTP/1: 0, or 1 for everything later.
  package let minorVersion: Int
  /// The fields of the head.
  package let fields: HTTPFields
  /// Whether the connection stays open after the answer; otherwise the answer says `Connection: close`.
  package let keepAlive: Bool
  /// The length of the body, where the head says it.
  package let contentLength: Int?
  /// The protocol that the client wants to change to on this connection (RFC 9110, 7.8); nil where it wants none.
  package let upgrade: String?
  /// The body, its chunks joined; empty where there is none, or where it is taken piece by piece.
  package var body: [UInt8] = []

  /// Path and query as sent; of a target in absolute form without scheme and host.
  package var target: String { query.map { path + "?" + $0 } ?? path }

  /// The path's segments, decoded one by one, so that an encoded slash stays inside its name; a path that ends in "/"
  /// ends with an empty segment. Dots are not resolved. 400 where a segment is badly encoded or not UTF-8.
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

  /// The query's items, empty where there is no query; 400 where one is badly encoded.
  package func queryItems() throws(HTTPError) -> HTTPQuery { try HTTPQuery(parsing: query ?? "") }
}
