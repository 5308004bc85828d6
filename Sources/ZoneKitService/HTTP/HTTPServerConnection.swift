import ZoneKitEventLoop
import ZoneKitWire

/// The connection of one client. It parses requests and sends their answers in order, those of a turn in one write.
///
/// A client may send any number of requests without waiting for answers. At most `requestsPerTurn` of them are handled
/// per turn, and none while the client does not read its answers. So one client uses a bounded amount of memory and
/// delays the others by a bounded time.
package final class HTTPServerConnection {
  /// The number of unsent bytes above which the connection reads nothing.
  package static let backlogLimit = 1 << 20
  /// The number of requests of one connection that are handled per turn.
  package static let requestsPerTurn = 12

  /// The request whose body is being received.
  private enum Incoming {
    case none
    case whole(HTTPExchange, HTTPRoute)
    case pieces(HTTPExchange, HTTPBodyStream)
  }

  private enum Phase {
    /// Requests are read and answered.
    case open
    /// `output` holds the last bytes. The connection is closed after them.
    case last
    /// `output` holds the last bytes of HTTP. After them the stream is passed on.
    case upgrading((Connection, [UInt8]) -> Void)
    /// The stream was passed on and does not belong to this connection any more.
    case handedOver
  }

  private let stream: Connection
  private let server: HTTPServer
  private var parser = HTTPRequestParser()
  private var incoming = Incoming.none
  /// The bytes of the body that were not delivered yet.
  private var body: [UInt8] = []
  /// The bytes that were read and not parsed yet. While there are any, reading is paused.
  private var unread: [UInt8] = []
  /// The requests without a complete answer, in order.
  private var exchanges: [HTTPExchange] = []
  /// The number of requests that were started since the last flush.
  private var begun = 0
  /// The error of bytes that are not a valid request. It is sent after all answers.
  private var refusal: HTTPError?
  private var output: [UInt8] = []
  /// Whether the server knows that this connection has something to send in this turn.
  private var isNoted = false
  private var phase = Phase.open
  private var peerHasEnded = false
  private var isParsing = false

  init(_ stream: Connection, of server: HTTPServer) {
    self.stream = stream
    self.server = server
  }

  /// Starts reading. The connection keeps this object alive until it is closed.
  func start() {
    stream.onRead = { self.received($0) }
    stream.onDrained = { self.take() }
    stream.onEnd = { self.peerEnded() }
    stream.onClose = { _ in self.closed() }
  }

  /// Whether there is work for the next turn: bytes that were read, or a stream that can continue.
  var hasMore: Bool { (!unread.isEmpty && !isFull) || currentStream?.canGoOn == true }

  /// The number of bytes of answers that the system has not taken yet.
  var unsentBytes: Int { output.count + stream.queuedBytes }

  private var isOpen: Bool {
    switch phase {
    case .open: true
    case .last, .upgrading, .handedOver: false
    }
  }

  /// Whether reading has to wait. What follows a request for an upgrade may be in another protocol.
  private var isFull: Bool {
    guard isOpen, unsentBytes <= Self.backlogLimit else { return true }
    switch incoming {
    case .none:
      return max(exchanges.count, begun) >= Self.requestsPerTurn || exchanges.last?.request.upgrade != nil
    case .whole: return false
    case .pieces(_, let body): return body.isPaused
    }
  }

  /// The answer that is being sent in chunks.
  private var currentStream: HTTPAnswerStream? {
    guard case .streamed(let stream)? = exchanges.first?.answer else { return nil }
    return stream
  }

  // MARK: Reading

  private func received(_ bytes: UnsafeRawBufferPointer) {
    guard unread.isEmpty else {
      unread.append(contentsOf: bytes)
      return take()
    }
    var position = 0
    parse(bytes.bindMemory(to: UInt8.self).span, at: &position)
    unread.append(contentsOf: bytes[position...])
    settle()
  }

  /// Continues with bytes that were read, and with an answer that is sent in chunks.
  func take() {
    currentStream?.goOn()
    let bytes = unread
    unread = []
    var position = 0
    parse(bytes.span, at: &position)
    unread = Array(bytes[position...])
    settle()
  }

  /// Continues in the next turn.
  func takeLater() { server.goOn(with: self) }

  private func parse(_ bytes: Span<UInt8>, at position: inout Int) {
    isParsing = true
    while !isFull, let event = parser.next(bytes, at: &position, into: &body) { take(event) }
    handOutPiece()
    isParsing = false
  }

  private func settle() {
    guard !handOver() else { return }
    if peerHasEnded, unread.isEmpty { abandonIncoming() }
    let isHeldBack: Bool
    switch incoming {
    case .pieces(_, let body): isHeldBack = body.isPaused
    case .none, .whole: isHeldBack = false
    }
    // Only bytes that the system has not taken count here, because the stream reports when they are sent.
    let isBacklogged = stream.queuedBytes > Self.backlogLimit
    if unread.isEmpty, !isBacklogged, !isHeldBack { stream.resumeReading() } else { stream.pauseReading() }
    endIfDone()
  }

  private func take(_ event: HTTPRequestParser.Event) {
    switch event {
    case .head(let request): begin(request)
    case .continueExpected:
      switch incoming {
      case .none: return
      case .whole(let exchange, _), .pieces(let exchange, _): exchange.expectsContinue = true
      }
      answered()
    case .end: endIncoming()
    case .refused(let error):
      refusal = error
      abandonIncoming()
      answered()
    }
  }

  private func begin(_ request: HTTPRequest) {
    begun += 1
    let route = server.routes.route(of: request)
    switch route.body(request) {
    case .whole(let limit):
      parser.bodyLimit = limit
      // Reserved at once, so that a growing body is not moved.
      body.reserveCapacity(min(request.contentLength ?? 0, limit))
      let exchange = HTTPExchange(request, body: nil, on: self)
      exchanges.append(exchange)
      incoming = .whole(exchange, route)
    case .pieces(let limit):
      parser.bodyLimit = limit
      let body = HTTPBodyStream(on: self)
      let exchange = HTTPExchange(request, body: body, on: self)
      exchanges.append(exchange)
      incoming = .pieces(exchange, body)
      route.serve(exchange)
    }
  }

  private func endIncoming() {
    handOutPiece()
    let ended = incoming
    incoming = .none
    switch ended {
    case .none: return
    case .whole(let exchange, let route):
      exchange.request.body = body
      body = []
      route.serve(exchange)
    case .pieces(_, let body): body.end(.complete)
    }
  }

  private func handOutPiece() {
    guard case .pieces(_, let stream) = incoming, !body.isEmpty else { return }
    let piece = body
    body = []
    stream.onPiece?(piece)
  }

  /// Ends the body that is being received, because the rest will not come. A request that no handler has got yet gets
  /// no answer.
  private func abandonIncoming() {
    handOutPiece()
    let abandoned = incoming
    incoming = .none
    body = []
    switch abandoned {
    case .none: return
    case .whole(let exchange, _): forget(exchange)
    case .pieces(let exchange, let body):
      body.end(.brokenOff)
      forget(exchange)
    }
  }

  private func forget(_ exchange: HTTPExchange) {
    guard case .awaited = exchange.answer else { return }
    exchanges.removeAll { $0 === exchange }
  }

  private func peerEnded() {
    peerHasEnded = true
    for exchange in exchanges {
      if case .streamed(let stream) = exchange.answer { stream.peerEnded() }
    }
    settle()
  }

  private func closed() {
    let unfinished = exchanges
    exchanges = []
    abandonIncoming()
    close(unfinished)
  }

  private func close(_ unfinished: [HTTPExchange]) {
    for exchange in unfinished {
      if case .streamed(let stream) = exchange.answer { stream.close() }
    }
  }

  // MARK: Writing

  /// Takes in that an exchange was answered or that an answer has grown. Appends everything that is next in order to
  /// `output`.
  func answered() {
    while isOpen, let first = exchanges.first {
      inviteBody(of: first)
      guard write(first) else { break }
      exchanges.removeFirst()
    }
    if exchanges.isEmpty, isOpen, let refusal {
      append(.failure(refusal.status, refusal.reason), HTTPResponseHead(status: refusal.status, keepAlive: false))
    }
    if !isOpen {
      let unsent = exchanges
      exchanges = []
      close(unsent)
    }
    note()
    if !isParsing { _ = handOver() }
  }

  /// Sends the interim answer 100. It must not wait for the end of a request that waits for it.
  private func inviteBody(of exchange: HTTPExchange) {
    guard exchange.expectsContinue else { return }
    exchange.expectsContinue = false
    output.appendContinue()
  }

  /// Appends what is known of an answer to `output`. Returns whether the answer is complete.
  private func write(_ exchange: HTTPExchange) -> Bool {
    switch exchange.answer {
    case .awaited: return false
    case .whole(let reply):
      append(reply, HTTPResponseHead(answering: exchange.request, status: reply.status), to: exchange.request)
      return true
    case .none:
      phase = .last
      return true
    case .streamed(let stream): return write(stream, to: exchange.request)
    case .upgrade(let name, let fields, let use):
      output.appendUpgrade(to: name, fields: fields)
      phase = .upgrading(use)
      return true
    }
  }

  private func write(_ stream: HTTPAnswerStream, to request: HTTPRequest) -> Bool {
    let isChunked = request.minorVersion > 0
    var head = HTTPResponseHead(answering: request, status: stream.head.status, contentType: stream.head.contentType)
    if !stream.hasStarted {
      head.fields += stream.head.fields + crossOriginFields(for: request)
      output.appendStreamHead(head, isChunked: isChunked)
    }
    for piece in stream.takePieces() where !head.omitsBody {
      if isChunked { output.appendChunk(piece) } else { output += piece }
    }
    switch stream.end {
    case nil: return false
    case .complete:
      if isChunked, !head.omitsBody { output.appendLastChunk() }
      if !isChunked || !head.keepAlive { phase = .last }
    case .brokenOff: phase = .last
    }
    return true
  }

  private func append(_ reply: HTTPReply, _ head: HTTPResponseHead, to request: HTTPRequest? = nil) {
    var head = head
    head.contentType = reply.body.isEmpty ? nil : reply.contentType
    head.fields += reply.fields
    if let request { head.fields += crossOriginFields(for: request) }
    output.appendResponse(head, body: reply.body)
    if !head.keepAlive { phase = .last }
  }

  /// The field with which a web page of another origin may read the answer, if the route allows that.
  private func crossOriginFields(for request: HTTPRequest) -> [HTTPField] {
    guard let origin = request.fields["Origin"], server.routes.route(of: request).servesOtherOrigins else { return [] }
    return [HTTPField("Access-Control-Allow-Origin", origin)]
  }

  private func note() {
    guard !isNoted else { return }
    isNoted = true
    server.noteOutput(of: self)
  }

  /// Sends `output`.
  func flush() {
    isNoted = false
    begun = 0
    if !output.isEmpty {
      stream.write(output)
      output.removeAll(keepingCapacity: output.capacity <= 64 * 1024)
    }
    endIfDone()
  }

  private func endIfDone() {
    guard output.isEmpty else { return }
    switch phase {
    case .open:
      guard peerHasEnded, exchanges.isEmpty, unread.isEmpty else { return }
      stream.shutdownAfterWrites()
    case .last: stream.shutdownAfterWrites()
    case .upgrading, .handedOver: return
    }
  }

  /// Passes the stream on if an upgrade was answered. Returns whether the stream no longer belongs to this connection.
  private func handOver() -> Bool {
    switch phase {
    case .open, .last: return false
    case .handedOver: return true
    case .upgrading(let use):
      phase = .handedOver
      stream.onRead = nil
      stream.onDrained = nil
      stream.onEnd = nil
      stream.onClose = nil
      stream.write(output)
      output = []
      stream.resumeReading()
      let rest = unread
      unread = []
      use(stream, rest)
      return true
    }
  }
}
