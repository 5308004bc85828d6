import ZoneKitRecords

/// Collects the bytes of one body, however they are cut into reads (RFC 9112, 6.2 and 7.1).
struct HTTPBodyReader {
  private var state: State
  private var body: [UInt8] = []
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

  /// A body of `length` bytes; 413 where that is more than `limit`.
  init(length: Int, limit: Int) throws(HTTPError) {
    guard length <= limit else { throw Self.tooLong(limit) }
    state = .counted(remaining: length)
    self.limit = limit
  }

  /// A body in chunks, of at most `limit` bytes together.
  init(chunkedWithin limit: Int) {
    state = .chunkSize
    self.limit = limit
  }

  /// A body that the end of the connection ends, of at most `limit` bytes.
  init(untilCloseWithin limit: Int) {
    state = .untilClose
    self.limit = limit
  }

  /// Takes bytes from `position` on, up to the end of the body, and hands the body out once it is whole.
  mutating func take(_ bytes: Span<UInt8>, at position: inout Int) throws(HTTPError) -> [UInt8]? {
    while true {
      switch state {
      case .counted(let remaining):
        // Room for all of it at once, so that it is not moved while it grows.
        if body.isEmpty { body.reserveCapacity(remaining) }
        let left = copy(remaining, from: bytes, at: &position)
        state = .counted(remaining: left)
        return left == 0 ? handOut() : nil
      case .chunkSize:
        guard let line = try chunkLine(bytes, at: &position) else { return nil }
        let size = try chunkSize(line)
        state = size > 0 ? .chunk(remaining: size) : .trailers(remaining: HTTPLimits.head)
      case .chunk(let remaining):
        let left = copy(remaining, from: bytes, at: &position)
        state = left == 0 ? .chunkEnd : .chunk(remaining: left)
        if left > 0 { return nil }
      case .chunkEnd:
        guard let line = try chunkLine(bytes, at: &position) else { return nil }
        guard line.isEmpty else { throw .malformed("A chunk must end where its size says.") }
        state = .chunkSize
      case .trailers(let remaining):
        guard let line = try trailer(bytes, at: &position, remaining: remaining) else { return nil }
        if line.isEmpty { return handOut() }
        state = .trailers(remaining: remaining - line.count - 2)
      case .untilClose:
        guard bytes.count - position <= limit - body.count else { throw Self.tooLong(limit) }
        _ = copy(bytes.count - position, from: bytes, at: &position)
        return nil
      }
    }
  }

  /// The body that the end of the connection completes; nil where the end came too early.
  mutating func finish() -> [UInt8]? {
    switch state {
    case .untilClose: return handOut()
    case .counted, .chunkSize, .chunk, .chunkEnd, .trailers: return nil
    }
  }

  /// Moves up to `count` bytes into the body and says how many are still to come.
  private mutating func copy(_ count: Int, from bytes: Span<UInt8>, at position: inout Int) -> Int {
    let end = min(bytes.count, position + count)
    body.append(copying: bytes.extracting(position..<end))
    let left = count - (end - position)
    position = end
    return left
  }

  private mutating func handOut() -> [UInt8] {
    let whole = body
    body = []
    return whole
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

  private func chunkSize(_ line: [UInt8]) throws(HTTPError) -> Int {
    var size = 0
    var position = 0
    while position < line.count, let digit = Character(Unicode.Scalar(line[position])).hexDigitValue {
      guard position < 15 else { throw Self.tooLong(limit) }
      size = size << 4 | digit
      position += 1
    }
    guard position > 0, position == line.count || line[position] == UInt8(ascii: ";"),
      line.allSatisfy(HTTPByte.isFieldContent)
    else { throw .malformed("A chunk must begin with its size in hexadecimal digits.") }
    guard size <= limit - body.count else { throw Self.tooLong(limit) }
    return size
  }

  private static func tooLong(_ limit: Int) -> HTTPError {
    HTTPError(status: 413, reason: "A body may have at most \(limit) bytes.")
  }
}
