/// One final response, whole.
package struct HTTPResponse: Equatable, Sendable {
  /// The status, 200 to 999.
  package let status: Int
  /// The fields of the head.
  package let fields: HTTPFields
  /// The body, its chunks joined; empty where there is none.
  package let body: [UInt8]
  /// Whether the connection takes another request.
  package let keepAlive: Bool
}
