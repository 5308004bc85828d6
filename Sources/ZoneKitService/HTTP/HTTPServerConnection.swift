import ZoneKitEventLoop
import ZoneKitWire

/// The connection of one client. It parses requests and sends their answers in order, those of a turn in one write.
///
/// A client may send any number of requests without waiting for answers. At most `requestsPerTurn` of them are handled
/// per turn, and none while the client does not read its answers. So one client uses a bounded amount of memory and
/// delays the others by a bounded time. `HTTPLoad` limits what all connections take together, and `HTTPTimeLimits` how
/// long a client may keep a connection waiting.
package final class HTTPServerConnection {
  /// The number of unsent bytes above which the connection reads nothing, if there is enough memory.
  package static let backlogLimit = 1 << 20
  /// The number of requests of one connection that are handled per turn, if there is enough memory.
  package static let requestsPerTurn = 12

  /// The request whose body is being received.
  private enum Incoming {
    case none
    case whole(HTTPExchange, HTTPRoute)
    case pieces(HTTPExchange, HTTPBodyStream)
    /// The request is already refused. Its body is read and dropped, so that the client gets the answer.
    case refused
  }

  /// What the connection is used for.
  enum Phase {
    /// Requests are read and answered.
    case open
    /// `output` holds the last bytes. The connection is closed after them.
    case last
    /// `output` holds the last bytes of HTTP. After them the stream is passed on.
    case upgrading((Connection, [UInt8]) -> Void)
    /// The stream was passed on and does not belong to this connection any more.
    case handedOver
  }

  let stream: Connection
  let server: HTTPServer
  private var parser = HTTPRequestParser()
  private var incoming = Incoming.none
  /// The bytes of the body that were not delivered yet.
  private var body: [UInt8] = []
  /// The bytes that were read and not parsed yet. While there are any, reading is paused.
  var unread: [UInt8] = []
  /// The requests without a complete answer, in order.
  var exchanges: [HTTPExchange] = []
  /// The number of requests that were started since the last flush.
  var begun = 0
  /// The number of requests that were started at all.
  private var requests = 0
  /// The number of bytes that were parsed since the head of the present request.
  private var bodyBytes = 0
  /// The reply to bytes that are not a valid request. It is sent after all answers.
  var refusal: HTTPReply?
  var output = HTTPOutput()
  /// Whether the server knows that this connection has something to send in this turn.
  var isNoted = false
  /// Whether the server continues with this connection when it is its turn.
  var isDelayed = false
  /// The place of the connection among those that wait.
  private(set) var order = HTTPOrder()
  var phase = Phase.open
  private(set) var peerHasEnded = false
  private(set) var isParsing = false
  private var watch = HTTPWatch()

  init(_ stream: Connection, of server: HTTPServer) {
    self.stream = stream
    self.server = server
  }

  /// Starts reading. The connection keeps this object alive until it is closed.
  func start() {
    stream.onRead = { self.received($0) }
    stream.onDrained = { self.takeUnlessDelayed() }
    stream.onEnd = { self.peerEnded() }
    stream.onClose = { _ in self.closed() }
  }

  /// Whether there is work for the next turn: bytes that were read, or a stream that can continue.
  var hasMore: Bool { (!unread.isEmpty && !isFull) || currentStream?.canGoOn == true }

  /// The number of bytes of answers that the system has not taken yet.
  var unsentBytes: Int { output.count + stream.queuedBytes }

  /// Whether requests are read and answered.
  var isOpen: Bool {
    switch phase {
    case .open: true
    case .last, .upgrading, .handedOver: false
    }
  }

  /// Whether reading has to wait. What follows a request for an upgrade may be in another protocol.
  private var isFull: Bool {
    guard isOpen, unsentBytes <= server.load.backlogLimit else { return true }
    switch incoming {
    case .none:
      return max(exchanges.count, begun) >= server.load.requestLimit || exchanges.last?.request.upgrade != nil
    case .whole, .refused: return false
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
      return takeUnlessDelayed()
    }
    order.arrived(after: server.nextArrival())
    var position = 0
    server.load.begin(at: server.now)
    parse(bytes.bindMemory(to: UInt8.self).span, at: &position)
    server.load.end(at: server.now)
    unread.append(contentsOf: bytes[position...])
    settle()
  }

  private func takeUnlessDelayed() {
    if !isDelayed { take() }
  }

  /// Continues with bytes that were read, and with an answer that is sent in chunks.
  func take() {
    isDelayed = false
    currentStream?.goOn()
    guard !isFull, !server.mustWait else { return settle() }
    let bytes = unread
    unread = []
    var position = 0
    server.load.begin(at: server.now)
    parse(bytes.span, at: &position)
    server.load.end(at: server.now)
    unread = Array(bytes[position...])
    // What is left waits behind those that wait already.
    if position > 0 { order.arrived(after: server.nextArrival()) }
    settle()
  }

  /// Continues when it is the connection's turn.
  func takeLater() { server.goOn(with: self) }

  private func parse(_ bytes: Span<UInt8>, at position: inout Int) {
    isParsing = true
    while !isFull, !server.mustWait {
      let start = position
      let event = parser.next(bytes, at: &position, into: &body)
      bodyBytes += position - start
      guard let event else { break }
      take(event)
    }
    handOutPiece()
    isParsing = false
  }

  private func settle() {
    guard !handOver() else { return }
    if peerHasEnded, unread.isEmpty { abandonIncoming() }
    let isHeldBack: Bool
    switch incoming {
    case .pieces(_, let body): isHeldBack = body.isPaused
    case .none, .whole, .refused: isHeldBack = false
    }
    order.waits(with: unread.count)
    if !unread.isEmpty, isOpen, server.mustWait { takeLater() }
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
      case .none, .refused: return
      case .whole(let exchange, _), .pieces(let exchange, _): exchange.expectsContinue = true
      }
      answered()
    case .end: endIncoming()
    case .refused(let error):
      server.malformed += 1
      refusal = reply(to: error)
      abandonIncoming()
      answered()
    }
  }

  private func begin(_ request: HTTPRequest) {
    begun += 1
    requests += 1
    bodyBytes = 0
    let route = server.routes.route(of: request)
    switch route.body(request) {
    case .whole(let limit):
      parser.bodyLimit = limit
      let exchange = HTTPExchange(request, body: nil, crossOrigin: route.crossOrigin, on: self)
      exchanges.append(exchange)
      incoming = .whole(exchange, route)
      let size = min(request.contentLength ?? 0, limit)
      guard reserve(size, for: exchange, of: route) else { return }
      // Reserved at once, so that a growing body is not moved.
      body.reserveCapacity(size)
    case .pieces(let limit):
      parser.bodyLimit = limit
      let body = HTTPBodyStream(on: self)
      let exchange = HTTPExchange(request, body: body, crossOrigin: route.crossOrigin, on: self)
      exchanges.append(exchange)
      incoming = .pieces(exchange, body)
      server.serve(exchange, by: route)
    }
  }

  /// The reply to bytes that are refused. A body that is too large belongs to a request whose route is known.
  private func reply(to error: HTTPError) -> HTTPReply {
    guard error.status == 413, case .whole(let exchange, let route) = incoming, let oversized = route.oversized else {
      return .refusal(error)
    }
    return oversized(exchange.request, error)
  }

  /// Reserves memory for a body of that size. If there is not enough, the request is refused and its body dropped.
  /// Returns whether there is enough.
  private func reserve(_ size: Int, for exchange: HTTPExchange, of route: HTTPRoute) -> Bool {
    if server.load.reserve(size, insteadOf: exchange.reserved) {
      exchange.reserved = size
      return true
    }
    incoming = .refused
    body = []
    // A client that waits for an interim answer need not send the body, so what follows may be another request.
    exchange.endsConnection = exchange.request.fields["Expect"] != nil
    exchange.reply(route.busy(exchange.request))
    return false
  }

  private func endIncoming() {
    handOutPiece()
    let ended = incoming
    incoming = .none
    switch ended {
    case .none, .refused: return
    case .whole(let exchange, let route):
      exchange.request.body = body
      body = []
      let begunAt = server.now
      server.serve(exchange, by: route)
      order.took(milliseconds: server.now - begunAt)
      server.load.end(at: server.now)
    case .pieces(_, let body): body.end(.complete)
    }
  }

  /// Counts the size of an answer that is being made, and the work for it.
  func note(answerOf size: Int, work: Int) {
    order.add(bodyBytes + work)
    server.load.add(answerOf: size, work: work)
  }

  /// The number of bytes that the next answer may have.
  var room: Int { server.load.room }

  /// Passes a part of a body on, or reserves memory for it.
  private func handOutPiece() {
    guard !body.isEmpty else { return }
    switch incoming {
    case .none: return
    case .whole(let exchange, let route):
      // A chunked body has no length in its head.
      guard body.count > exchange.reserved else { return }
      _ = reserve(body.count + HTTPLoad.smallBody / 2, for: exchange, of: route)
    case .pieces(_, let stream):
      let piece = body
      body = []
      stream.onPiece?(piece)
    case .refused: body = []
    }
  }

  /// Ends the body that is being received, because the rest will not come. A request that no handler has got yet gets
  /// no answer.
  private func abandonIncoming() {
    handOutPiece()
    let abandoned = incoming
    incoming = .none
    body = []
    switch abandoned {
    case .none, .refused: return
    case .whole(let exchange, _): forget(exchange)
    case .pieces(let exchange, let body):
      body.end(.brokenOff)
      forget(exchange)
    }
  }

  private func forget(_ exchange: HTTPExchange) {
    guard case .awaited = exchange.answer else { return }
    exchanges.removeAll { $0 === exchange }
    release(exchange)
  }

  /// Releases the memory of a request that was answered or given up.
  func release(_ exchange: HTTPExchange) {
    server.load.release(exchange.reserved)
    exchange.reserved = 0
  }

  // MARK: The end

  private func peerEnded() {
    peerHasEnded = true
    for exchange in exchanges {
      exchange.abandon()
      if case .streamed(let stream) = exchange.answer { stream.peerEnded() }
    }
    settle()
  }

  private func closed() {
    server.remove(self)
    let unfinished = exchanges
    exchanges = []
    abandonIncoming()
    close(unfinished)
  }

  /// Gives up the answers to requests.
  func close(_ unfinished: [HTTPExchange]) {
    for exchange in unfinished {
      release(exchange)
      exchange.abandon()
      if case .streamed(let stream) = exchange.answer { stream.close() }
    }
  }

  /// Makes the time limits begin anew.
  func restartWatch() { watch = HTTPWatch() }

  /// Closes the connection if the client has kept it waiting for too long.
  func checkTimeLimit(at now: Int64, isShort: Bool) {
    let wait = wait
    guard watch.isOver(wait, at: now, isShort: isShort) else { return }
    switch wait {
    case .nothing: return
    case .request: stream.shutdownAfterWrites()
    case .head: timeOut("The head of a request did not arrive within \(HTTPTimeLimits.head / 1_000) s.")
    case .body: timeOut("The body of the request did not arrive in time.")
    case .reading: stream.close()
    }
  }

  /// What the connection waits for.
  private var wait: HTTPWatch.Wait {
    if unsentBytes > 0 { return .reading(unsent: unsentBytes) }
    guard isOpen, unread.isEmpty else { return .nothing }
    switch incoming {
    case .none where !parser.isIdle: return .head(after: requests)
    case .none: return exchanges.isEmpty ? .request(after: requests) : .nothing
    case .pieces(_, let body) where body.isPaused: return .nothing
    case .whole, .pieces, .refused: return .body(of: requests, received: bodyBytes)
    }
  }

  private func timeOut(_ reason: String) {
    parser.end()
    refusal = .refusal(HTTPError(status: 408, reason: reason))
    abandonIncoming()
    answered()
  }
}
