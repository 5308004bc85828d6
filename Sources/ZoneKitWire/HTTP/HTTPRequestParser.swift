/// The server's half of HTTP/1.1: bytes in, requests out piece by piece (RFC 9112). How the bytes are cut into reads makes no
/// difference.
///
/// The reader pulls: it asks for the next event as long as it can take one, so requests sent ahead (pipelining) and bodies
/// wait as bytes until somebody wants them. After an error, and after a request that ends the connection, all further bytes
/// are ignored: the service answers and closes.
package struct HTTPRequestParser: Sendable {
  /// The most bytes that the body of a request may have. Set after `head` it counts for that request already.
  package var bodyLimit: Int

  private var state = State.head
  private var head = HTTPHeadReader()
  /// The body of the state of that name; beside it, because a payload would be copied at every read.
  private var body: HTTPBodyReader

  private enum State {
    case head
    /// The head is handed out.
    case headRead(HTTPReceivedRequestHead)
    /// The body comes; whether the connection stays open behind it.
    case body(keepsAlive: Bool)
    case ended
  }

  /// What bytes can lead to.
  package enum Event: Equatable, Sendable {
    /// The head of a request is whole; its body follows, and then `end`.
    case head(HTTPRequest)
    /// The client waits for an interim 100 before it sends the body of that request (RFC 9110, 10.1.1).
    case continueExpected
    /// The request is whole.
    case end
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
    case .head: head.isEmpty
    case .headRead, .body: false
    case .ended: true
    }
  }

  /// Takes bytes from `position` on up to the next event; nil where they end before it. Bytes of a body are appended to
  /// `piece`. Events can be left when all bytes are taken: ask until nil. The span may be a driver's scratch buffer.
  package mutating func next(_ bytes: Span<UInt8>, at position: inout Int, into piece: inout [UInt8]) -> Event? {
    do throws(HTTPError) {
      return try read(bytes, at: &position, into: &piece)
    } catch {
      end()
      return .refused(error)
    }
  }

  private mutating func read(
    _ bytes: Span<UInt8>, at position: inout Int, into piece: inout [UInt8]
  ) throws(HTTPError) -> Event? {
    switch state {
    case .head:
      guard position < bytes.count, let text = try head.take(bytes, at: &position) else { return nil }
      let received = try HTTPReceivedRequestHead(text)
      state = .headRead(received)
      return .head(received.request)
    case .headRead(let received):
      if let event = try beginBody(of: received, hasMore: position < bytes.count) { return event }
      return try read(bytes, at: &position, into: &piece)
    case .body(let keepsAlive):
      guard position < bytes.count, try body.take(bytes, at: &position, into: &piece) else { return nil }
      return complete(keepsAlive: keepsAlive)
    case .ended:
      position = bytes.count
      return nil
    }
  }

  /// The event at the beginning of a body, where there is one.
  private mutating func beginBody(of received: HTTPReceivedRequestHead, hasMore: Bool) throws(HTTPError) -> Event? {
    let framing = received.framing
    let keepsAlive = framing.keepsAlive(minorVersion: received.minorVersion)
    if framing.isChunked {
      body = HTTPBodyReader(chunkedWithin: bodyLimit)
    } else if let length = framing.contentLength, length > 0 {
      body = try HTTPBodyReader(length: length, limit: bodyLimit)
    } else {
      return complete(keepsAlive: keepsAlive)
    }
    state = .body(keepsAlive: keepsAlive)
    // A client that has sent some of the body already does not wait.
    return !hasMore && received.minorVersion > 0 && framing.expectsContinue ? .continueExpected : nil
  }

  private mutating func complete(keepsAlive: Bool) -> Event {
    if keepsAlive { state = .head } else { end() }
    return .end
  }

  private mutating func end() {
    head = HTTPHeadReader()
    state = .ended
  }
}
