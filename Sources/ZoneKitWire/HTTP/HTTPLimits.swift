/// What a peer may make us hold or look at; beyond it a message is refused and the connection closed.
package enum HTTPLimits {
  /// Bytes of a start line and its fields, and, counted apart, of the trailers behind a chunked body: 431 beyond.
  package static let head = 16 * 1024
  /// Fields in a head: 431 beyond.
  package static let fieldCount = 100
  /// Bytes of a request target: 414 beyond.
  package static let target = 8 * 1024
  /// Bytes of a body where the parser is not told another number: 413 beyond.
  package static let body = 8 * 1024 * 1024
  /// Bytes of the line before a chunk, its size and extensions: 400 beyond.
  package static let chunkLine = 256
}
