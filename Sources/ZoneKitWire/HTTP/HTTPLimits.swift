/// The limits of a received message. A message beyond them is refused and its connection closed.
package enum HTTPLimits {
  /// The size in bytes of a start line with its fields and, separately, of the trailers of a chunked body; beyond it
  /// 431.
  package static let head = 32 * 1024
  /// The number of fields in a head; beyond it 431.
  package static let fieldCount = 100
  /// The size of a request target in bytes; beyond it 414.
  package static let target = 16 * 1024
  /// The size of a body in bytes, unless the parser has another limit; beyond it 413.
  package static let body = 8 * 1024 * 1024
  /// The size in bytes of the line before a chunk, with its extensions; beyond it 400.
  package static let chunkLine = 256
}
