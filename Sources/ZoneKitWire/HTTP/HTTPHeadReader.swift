import ZoneKitRecords

/// Collects the bytes of one head, from the start line to the empty line, independent of how they are split into reads.
///
/// Only CR LF ends a line. RFC 9112, 2.2 allows a server to accept a bare LF, but two servers that disagree about line
/// ends make request smuggling possible. One empty line before the start line is skipped, as the same section demands.
struct HTTPHeadReader {
  /// The bytes of the incomplete head.
  private var kept: [UInt8] = []
  /// The start of the current line in the head.
  private var lineStart = 0
  private var skippedEmptyLine = false

  init() {}

  private init(skippedEmptyLine: Bool) {
    self.skippedEmptyLine = skippedEmptyLine
  }

  /// Whether no byte of a head was received yet.
  var isEmpty: Bool { kept.isEmpty && !skippedEmptyLine }

  /// Takes bytes from `position` on, up to the end of the head. Returns the head when it is complete.
  mutating func take(_ bytes: Span<UInt8>, at position: inout Int) throws(HTTPError) -> [UInt8]? {
    let limit = min(bytes.count, position + HTTPLimits.head - kept.count)
    var index = position
    while index < limit {
      guard bytes[index] == HTTPByte.lineFeed else {
        index += 1
        continue
      }
      let previous = index > position ? bytes[index - 1] : kept.last
      guard previous == HTTPByte.carriageReturn else {
        throw .malformed("A line of a head must end with CR LF, not with LF alone.")
      }
      let length = kept.count + index - position - lineStart - 1
      index += 1
      switch (length, lineStart) {
      case (0, 0):
        guard !skippedEmptyLine else { throw .malformed("A message must begin with its start line.") }
        self = HTTPHeadReader(skippedEmptyLine: true)
        position = index
        return try take(bytes, at: &position)
      case (0, _):
        kept.append(copying: bytes.extracting(position..<index))
        position = index
        return handOut()
      case (_, _):
        lineStart += length + 2
      }
    }
    kept.append(copying: bytes.extracting(position..<limit))
    position = limit
    guard kept.count < HTTPLimits.head else { throw tooLong() }
    return nil
  }

  private mutating func handOut() -> [UInt8] {
    let head = kept
    self = HTTPHeadReader()
    return head
  }

  private func tooLong() -> HTTPError {
    lineStart == 0
      ? HTTPError(status: 414, reason: "A request target may have at most \(HTTPLimits.target) bytes.")
      : HTTPError(status: 431, reason: "A head may have at most \(HTTPLimits.head) bytes.")
  }
}
