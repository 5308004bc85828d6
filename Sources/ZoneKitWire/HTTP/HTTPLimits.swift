/// The limits of a message from a peer. A message beyond them is refused and the connection closed.
package enum HTTPLimits {
  /// Bytes of a start line and its fields, and, counted apart, of the trailers behind a chunked body: 431 beyond.
  package static let head = 16 * 1024
  /// Fields in a head: 431 beyond.
  package static let fieldCount = 100
  /// Bytes of a request target: 414 beyond.
  package static let target = 8 * 1024
  /// The most bytes of a body, unless the parser gets another limit: 413 beyond.
  package static let body = 8 * 1024 * 1024
  /// Bytes of the line before a chunk, its size and extensions: 400 beyond.
  package static let chunkLine = 256
}
