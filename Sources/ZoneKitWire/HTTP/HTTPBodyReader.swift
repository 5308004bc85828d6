import ZoneKitRecords

/// Reads one body, independent of how its bytes are split into reads (RFC 9112, 6.2 and 7.1).
struct HTTPBodyReader {
  private var state: State
  /// The number of bytes of the body so far.
  private var count = 0
  private var line = HTTPLineReader()
  private let limit: Int

  private enum State {
    case counted(remaining: Int)
    case chunkSize
    case chunk(remaining: Int)
    case chunkEnd
    case trailers(remaining: Int)
    case untilClose
  }

  /// A body of `length` bytes. Throws 413 if that is more than `limit`.
  init(length: Int, limit: Int) throws(HTTPError) {
    guard length <= limit else { throw Self.tooLong(limit) }
    state = .counted(remaining: length)
    self.limit = limit
  }

  /// A chunked body of at most `limit` bytes in total.
  init(chunkedWithin limit: Int) {
    state = .chunkSize
    self.limit = limit
  }

  /// A body of at most `limit` bytes that ends with the connection.
  init(untilCloseWithin limit: Int) {
    state = .untilClose
    self.limit = limit
  }

  /// Takes bytes from `position` on, up to the end of the body, and appends the body's content to `body`. Returns
  /// whether the body is complete.
  mutating func take(
    _ bytes: Span<UInt8>, at position: inout Int, into body: inout [UInt8]
  ) throws(HTTPError) -> Bool {
    while true {
      switch state {
      case .counted(let remaining):
        let left = copy(remaining, from: bytes, at: &position, into: &body)
        state = .counted(remaining: left)
        return left == 0
      case .chunkSize:
        guard let line = try chunkLine(bytes, at: &position) else { return false }
        let size = try chunkSize(line)
        state = size > 0 ? .chunk(remaining: size) : .trailers(remaining: HTTPLimits.head)
      case .chunk(let remaining):
        let left = copy(remaining, from: bytes, at: &position, into: &body)
        state = left == 0 ? .chunkEnd : .chunk(remaining: left)
        if left > 0 { return false }
      case .chunkEnd:
        guard let line = try chunkLine(bytes, at: &position) else { return false }
        guard line.isEmpty else { throw .malformed("A chunk must have the length that its size line states.") }
        state = .chunkSize
      case .trailers(let remaining):
        guard let line = try trailer(bytes, at: &position, remaining: remaining) else { return false }
        if line.isEmpty { return true }
        guard Self.isField(line) else {
          throw .malformed("A trailer must be a name, a colon right behind it and a value.")
        }
        state = .trailers(remaining: remaining - line.count - 2)
      case .untilClose:
        guard bytes.count - position <= limit - count else { throw Self.tooLong(limit) }
        _ = copy(bytes.count - position, from: bytes, at: &position, into: &body)
        return false
      }
    }
  }

  /// Whether the end of the connection completes the body.
  var endsWithConnection: Bool {
    switch state {
    case .untilClose: true
    case .counted, .chunkSize, .chunk, .chunkEnd, .trailers: false
    }
  }

  /// Appends up to `wanted` bytes to the body. Returns how many are still missing.
  private mutating func copy(
    _ wanted: Int, from bytes: Span<UInt8>, at position: inout Int, into body: inout [UInt8]
  ) -> Int {
    let end = min(bytes.count, position + wanted)
    body.append(copying: bytes.extracting(position..<end))
    count += end - position
    let left = wanted - (end - position)
    position = end
    return left
  }

  private mutating func chunkLine(_ bytes: Span<UInt8>, at position: inout Int) throws(HTTPError) -> [UInt8]? {
    let error = HTTPError.malformed("The line before a chunk may have at most \(HTTPLimits.chunkLine) bytes.")
    return try line.take(bytes, at: &position, limit: HTTPLimits.chunkLine, beyond: error)
  }

  private mutating func trailer(
    _ bytes: Span<UInt8>, at position: inout Int, remaining: Int
  ) throws(HTTPError) -> [UInt8]? {
    let error = HTTPError(status: 431, reason: "Trailers may have at most \(HTTPLimits.head) bytes.")
    return try line.take(bytes, at: &position, limit: remaining - 1, beyond: error)
  }

  /// Whether a line is that of a field. Trailers are not used, but another reader could take a different line for the end.
  private static func isField(_ line: [UInt8]) -> Bool {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return false }
    return line[..<colon].allSatisfy(HTTPByte.isToken) && line[colon...].allSatisfy(HTTPByte.isFieldContent)
  }

  private func chunkSize(_ line: [UInt8]) throws(HTTPError) -> Int {
    var size = 0
    var position = 0
    while position < line.count, let digit = Hexadecimal.value(of: line[position]) {
      guard position < 15 else { throw Self.tooLong(limit) }
      size = size << 4 | Int(digit)
      position += 1
    }
    guard position > 0, position == line.count || line[position] == UInt8(ascii: ";"),
      line.allSatisfy(HTTPByte.isFieldContent)
    else { throw .malformed("A chunk must begin with its size in hexadecimal digits.") }
    guard size <= limit - count else { throw Self.tooLong(limit) }
    return size
  }

  private static func tooLong(_ limit: Int) -> HTTPError {
    HTTPError(status: 413, reason: "A body may have at most \(limit) bytes.")
  }
}
