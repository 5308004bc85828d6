/// Collects the bytes of one line that ends with CR LF, independent of how they are split into reads.
struct HTTPLineReader {
  private var kept: [UInt8] = []

  /// Takes bytes from `position` on. Returns the line without its end when it is complete. For a line of more than
  /// `limit` bytes, including the CR, it throws `error`.
  mutating func take(
    _ bytes: Span<UInt8>, at position: inout Int, limit: Int, beyond error: HTTPError
  ) throws(HTTPError) -> [UInt8]? {
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == HTTPByte.lineFeed {
        guard kept.popLast() == HTTPByte.carriageReturn else {
          throw .malformed("A line of a chunked body must end with CR LF, not with LF alone.")
        }
        let line = kept
        kept = []
        return line
      }
      guard kept.count < limit else { throw error }
      kept.append(byte)
    }
    return nil
  }
}
