/// The server's half of HTTP/1.1: bytes in, requests out, whatever way the bytes are cut into reads (RFC 9112).
///
/// Requests that come in one read (pipelining) are handed out in order. After an error, and after a request that ends
/// the connection, all further bytes are ignored: the service answers and closes.
package struct HTTPRequestParser: Sendable {
  private var state = State.head
  private var head = HTTPHeadReader()
  /// The body of the state of that name; beside it, because a payload would be copied at every read.
  private var body: HTTPBodyReader
  private let bodyLimit: Int

  private enum State {
    case head
    case body(HTTPReceivedRequestHead)
    case ended
  }

  /// What bytes can lead to.
  package enum Event: Equatable, Sendable {
    /// A request is whole.
    case request(HTTPRequest)
    /// The client waits for an interim 100 before it sends the body of its next request (RFC 9110, 10.1.1).
    case continueExpected
    /// The bytes are no request; answer with the error's status and close.
    case refused(HTTPError)
  }

  /// A parser for a new connection that takes bodies of up to `bodyLimit` bytes.
  package init(bodyLimit: Int = HTTPLimits.body) {
    self.bodyLimit = bodyLimit
    body = HTTPBodyReader(chunkedWithin: bodyLimit)
  }

  /// Whether no request has begun that is not whole, so that the connection may end here without loss.
  package var isIdle: Bool {
    switch state {
    case .head: return head.isEmpty
    case .body: return false
    case .ended: return true
    }
  }

  /// Takes the bytes of one read. The span may be a driver's scratch buffer: what is needed later is copied, once.
  package mutating func receive(_ bytes: Span<UInt8>) -> [Event] {
    var events: [Event] = []
    var position = 0
    do throws(HTTPError) {
      while position < bytes.count {
        if let event = try next(bytes, at: &position) { events.append(event) }
      }
    } catch {
      end()
      events.append(.refused(error))
    }
    return events
  }

  /// Takes the bytes of one read.
  package mutating func receive(_ bytes: [UInt8]) -> [Event] { receive(bytes.span) }

  private mutating func next(_ bytes: Span<UInt8>, at position: inout Int) throws(HTTPError) -> Event? {
    switch state {
    case .head:
      guard let text = try head.take(bytes, at: &position) else { return nil }
      return try begin(HTTPReceivedRequestHead(text), isLast: position == bytes.count)
    case .body(let head):
      return try body.take(bytes, at: &position).map { complete(head, $0) }
    case .ended:
      position = bytes.count
      return nil
    }
  }

  private mutating func begin(_ head: HTTPReceivedRequestHead, isLast: Bool) throws(HTTPError) -> Event? {
    if head.framing.isChunked {
      body = HTTPBodyReader(chunkedWithin: bodyLimit)
    } else if let length = head.framing.contentLength, length > 0 {
      body = try HTTPBodyReader(length: length, limit: bodyLimit)
    } else {
      return complete(head, [])
    }
    state = .body(head)
    // A client that has sent some of the body already does not wait.
    return isLast && head.minorVersion > 0 && head.framing.expectsContinue ? .continueExpected : nil
  }

  private mutating func complete(_ head: HTTPReceivedRequestHead, _ body: [UInt8]) -> Event {
    let request = head.request(body: body)
    if request.keepAlive { state = .head } else { end() }
    return .request(request)
  }

  private mutating func end() {
    head = HTTPHeadReader()
    body = HTTPBodyReader(chunkedWithin: bodyLimit)
    state = .ended
  }
}
