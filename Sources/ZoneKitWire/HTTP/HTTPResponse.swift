/// A received final response.
package struct HTTPResponse: Equatable, Sendable {
  /// The status, 200 to 999.
  package let status: Int
  /// The fields of the head.
  package let fields: HTTPFields
  /// The body, without the framing of chunks; empty if there is none.
  package let body: [UInt8]
  /// Whether the connection can be used for another request.
  package let keepAlive: Bool
}
