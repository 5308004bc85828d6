/// The client's parser of HTTP/1.1 responses (RFC 9112). The result does not depend on how the bytes are split into
/// reads.
///
/// It reads the answers to all methods but HEAD and CONNECT, whose answers have no body even if their fields announce one.
/// Interim responses (1xx) are skipped. After an error, and after a response that ends the connection, all further
/// bytes are ignored.
package struct HTTPResponseParser: Sendable {
  private var state = State.head
  private var head = HTTPHeadReader()
  /// The reader of the body in the state `body`. It is not a payload of the state, which would be copied at every read.
  private var reader: HTTPBodyReader
  private var body: [UInt8] = []
  private let bodyLimit: Int

  private enum State {
    case head
    case body(HTTPReceivedResponseHead)
    case ended
  }

  /// An event of the parser.
  package enum Event: Equatable, Sendable {
    /// A response is complete.
    case response(HTTPResponse)
    /// The bytes are not a response. Close the connection.
    case failed(HTTPError)
  }

  /// A parser for a new connection, for bodies of at most `bodyLimit` bytes.
  package init(bodyLimit: Int = HTTPLimits.body) {
    self.bodyLimit = bodyLimit
    reader = HTTPBodyReader(chunkedWithin: bodyLimit)
  }

  /// Takes the bytes of one read. The span may be a buffer that is reused: what is needed later is copied once.
  package mutating func receive(_ bytes: Span<UInt8>) -> [Event] {
    var events: [Event] = []
    var position = 0
    do throws(HTTPError) {
      while position < bytes.count {
        if let event = try next(bytes, at: &position) { events.append(event) }
      }
    } catch {
      end()
      events.append(.failed(error))
    }
    return events
  }

  /// Takes the bytes of one read.
  package mutating func receive(_ bytes: [UInt8]) -> [Event] { receive(bytes.span) }

  /// The server closed its side. This completes a response whose end is not marked otherwise, and fails an incomplete
  /// one.
  package mutating func finish() -> Event? {
    defer { end() }
    switch state {
    case .head where head.isEmpty: return nil
    case .ended: return nil
    case .head: return .failed(.malformed("The connection ended within the head of a response."))
    case .body(let head):
      if reader.endsWithConnection { return .response(head.response(body: body, ended: true)) }
      return .failed(.malformed("The connection ended within the body of a response."))
    }
  }

  private mutating func next(_ bytes: Span<UInt8>, at position: inout Int) throws(HTTPError) -> Event? {
    switch state {
    case .head:
      guard let text = try head.take(bytes, at: &position) else { return nil }
      return try begin(HTTPReceivedResponseHead(text))
    case .body(let head):
      return try reader.take(bytes, at: &position, into: &body) ? complete(head) : nil
    case .ended:
      position = bytes.count
      return nil
    }
  }

  private mutating func begin(_ head: HTTPReceivedResponseHead) throws(HTTPError) -> Event? {
    if head.isInterim {
      guard head.status != 101 else { throw .malformed("The server changed to a protocol that was not asked for.") }
      return nil
    }
    if head.hasNoBody || !head.framing.isChunked && head.framing.contentLength == 0 { return complete(head) }
    if head.framing.isChunked {
      reader = HTTPBodyReader(chunkedWithin: bodyLimit)
    } else if let length = head.framing.contentLength {
      reader = try HTTPBodyReader(length: length, limit: bodyLimit)
      // Reserved at once, so that a growing body is not moved.
      body.reserveCapacity(length)
    } else {
      reader = HTTPBodyReader(untilCloseWithin: bodyLimit)
    }
    state = .body(head)
    return nil
  }

  private mutating func complete(_ head: HTTPReceivedResponseHead) -> Event {
    let response = head.response(body: body, ended: false)
    body = []
    if response.keepAlive { state = .head } else { end() }
    return .response(response)
  }

  private mutating func end() {
    head = HTTPHeadReader()
    body = []
    state = .ended
  }
}
