/// The server's parser of HTTP/1.1 requests (RFC 9112). The result does not depend on how the bytes are split into
/// reads.
///
/// The caller pulls: it asks for the next event when it can handle one, so pipelined requests and bodies wait as bytes.
/// After an error, and after a request that ends the connection, all further bytes are ignored: the service answers and
/// closes.
package struct HTTPRequestParser: Sendable {
  /// The most bytes of a request's body. If it is set after `head`, it applies to that request.
  package var bodyLimit: Int

  private var state = State.head
  private var head = HTTPHeadReader()
  /// The reader of the body in the state `body`. It is not a payload of the state, which would be copied at every read.
  private var body: HTTPBodyReader

  private enum State {
    case head
    /// The head was returned.
    case headRead(HTTPReceivedRequestHead)
    /// The body is being received; `keepsAlive` tells whether the connection stays open after it.
    case body(keepsAlive: Bool)
    case ended
  }

  /// An event of the parser.
  package enum Event: Equatable, Sendable {
    /// The head of a request is complete. Its body follows, and then `end`.
    case head(HTTPRequest)
    /// The client waits for an interim 100 before it sends the body of the request (RFC 9110, 10.1.1).
    case continueExpected
    /// The request is complete.
    case end
    /// The bytes are not a request. Answer with the error's status and close the connection.
    case refused(HTTPError)
  }

  /// A parser for a new connection, for bodies of at most `bodyLimit` bytes.
  package init(bodyLimit: Int = HTTPLimits.body) {
    self.bodyLimit = bodyLimit
    body = HTTPBodyReader(chunkedWithin: bodyLimit)
  }

  /// Whether no request is incomplete, so that the connection can be closed without loss.
  package var isIdle: Bool {
    switch state {
    case .head: head.isEmpty
    case .headRead, .body: false
    case .ended: true
    }
  }

  /// Takes bytes from `position` on, up to the next event; nil if they end before it. Bytes of a body are appended to
  /// `piece`. There may be further events when all bytes are taken: call it until it returns nil. The span may be a
  /// buffer that is reused.
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

  /// The event at the start of a body; nil if there is none.
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
    // A client that has already sent a part of the body does not wait.
    return !hasMore && received.minorVersion > 0 && framing.expectsContinue ? .continueExpected : nil
  }

  private mutating func complete(keepsAlive: Bool) -> Event {
    if keepsAlive { state = .head } else { end() }
    return .end
  }

  /// Ignores all further bytes.
  package mutating func end() {
    head = HTTPHeadReader()
    state = .ended
  }
}
