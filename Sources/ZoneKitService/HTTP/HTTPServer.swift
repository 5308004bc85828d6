import ZoneKitEventLoop
import ZoneKitWire

/// An HTTP server. All answers of a turn to one client are sent in one write at the end of the turn.
package final class HTTPServer {
  /// The handlers of requests.
  var routes: HTTPRoutes
  /// The memory and the work of all connections.
  var load = HTTPLoad()
  /// The requests that were answered.
  private(set) var tally = RequestTally()
  /// The number of times that bytes of a client were no request.
  var malformed = 0
  /// Called with each answered request, besides being counted.
  var onAnswer: ((AnsweredRequest) -> Void)?
  /// The request that a route serves now.
  private var served: HTTPExchange?
  private let loop: Loop
  private lazy var nextTurn = Timer(on: loop, isPermanent: true) { [weak self] in self?.takeDelayed() }
  private lazy var sweep = Timer(on: loop, isPermanent: true) { [weak self] in self?.checkTimeLimits() }
  private var arrivals = 0
  /// When the time limits were checked last.
  private var checkedAt: Int64 = 0
  /// How often connections that had to wait were continued.
  private var rounds = 0
  /// The connections with answers to send at the end of the turn.
  private var unflushed: [HTTPServerConnection] = []
  /// The connections that wait until it is their turn.
  private var delayed: [HTTPServerConnection] = []
  private var isTakingDelayed = false
  /// The open connections.
  private var open: [ObjectIdentifier: HTTPServerConnection] = [:]
  /// The connections with bytes that the system has not taken yet.
  private var unsent: [ObjectIdentifier: HTTPServerConnection] = [:]

  /// A server with these routes. Its owner calls `endTurn` at the end of each turn of the loop.
  package init(_ routes: HTTPRoutes, loop: Loop) {
    self.routes = routes
    self.loop = loop
  }

  /// A number for the arrival of bytes, greater than those before.
  func nextArrival() -> Int {
    arrivals += 1
    return arrivals
  }

  /// The time of the loop in milliseconds.
  var now: Int64 { loop.now }

  /// The time of the loop in nanoseconds.
  var nanoseconds: Int64 { loop.nanoseconds }

  /// The number of open connections.
  var connectionCount: Int { open.count }

  /// The number of connections with requests that wait for their turn.
  var delayedCount: Int { delayed.count }

  /// A request got that answer, `nanoseconds` after its head was read.
  func answered(_ request: HTTPRequest, _ answer: HTTPExchange.Answer, fault: String?, after nanoseconds: Int64) {
    let outcome = AnsweredRequest(request, answer, fault: fault, after: nanoseconds / 1_000_000)
    tally.count(method: request.method, path: request.path, status: outcome.status, nanoseconds: nanoseconds)
    onAnswer?(outcome)
  }

  /// Has a route serve a request.
  func serve(_ exchange: HTTPExchange, by route: HTTPRoute) {
    served = exchange
    route.serve(exchange)
    served = nil
  }

  /// Faults met the message of the request that is served now.
  func met(by faults: [String]) { served?.fault = faults.joined(separator: ", ") }

  /// Serves a connection.
  package func accept(_ stream: Connection) {
    let connection = HTTPServerConnection(stream, of: self)
    open[ObjectIdentifier(connection)] = connection
    connection.start()
    guard !sweep.isScheduled else { return }
    checkedAt = now
    sweep.schedule(after: HTTPTimeLimits.step)
  }

  /// Answers a connection whose address has too many of them. It is closed then.
  package func refuse(_ stream: Connection) {
    let error = HTTPError(
      status: 503, reason: "This address has too many open connections. Close some of them, and try again.")
    let reply = HTTPReply.refusal(error)
    let head = HTTPResponseHead(
      status: reply.status, contentType: reply.contentType, fields: [HTTPField("Retry-After", "1")], keepAlive: false)
    var bytes: [UInt8] = []
    bytes.appendResponse(head, body: reply.body)
    stream.write(bytes)
  }

  /// Forgets a connection that was closed or passed on.
  func remove(_ connection: HTTPServerConnection) {
    open[ObjectIdentifier(connection)] = nil
    unsent[ObjectIdentifier(connection)] = nil
  }

  private func checkTimeLimits() {
    checkTimeLimits(at: now)
    if !open.isEmpty { sweep.schedule(after: HTTPTimeLimits.step) }
  }

  /// Closes the connections whose clients have taken too long.
  func checkTimeLimits(at now: Int64) {
    defer { checkedAt = now }
    if now - checkedAt > HTTPTimeLimits.lateStep {
      for connection in open.values { connection.restartWatch() }
    }
    for connection in Array(open.values) { connection.checkTimeLimit(at: now, isShort: load.isShort) }
  }

  /// Whether a connection with a request has to wait: because the turn has done enough, or because others wait already.
  /// The latter keeps a client whose bytes happen to arrive first in each turn from passing all that wait.
  var mustWait: Bool { load.isTurnOver || !delayed.isEmpty && !isTakingDelayed }

  /// Continues with the connections that had to wait, in the order of `HTTPOrder`. Every fourth time the one that has waited
  /// longest comes first, so that everyone's turn comes.
  private func takeDelayed() {
    rounds += 1
    let connections = delayed.sorted { $0.order < $1.order }
    delayed = []
    isTakingDelayed = true
    let longest = rounds % 4 == 0 ? connections.min { $0.order.arrival < $1.order.arrival } : nil
    longest?.take()
    for connection in connections where connection !== longest { connection.take() }
    isTakingDelayed = false
  }

  /// Sends the answers since the last call. Connections with more requests continue in the next turn.
  package func endTurn() {
    let connections = unflushed
    unflushed = []
    for connection in connections {
      connection.flush()
      if connection.unsentBytes > 0 { unsent[ObjectIdentifier(connection)] = connection }
    }
    endLoad()
    for connection in connections where connection.hasMore { goOn(with: connection) }
    if delayed.isEmpty { nextTurn.cancel() } else { nextTurn.schedule(after: 0) }
  }

  private func endLoad() {
    var total = 0
    for (id, connection) in unsent {
      let bytes = connection.unsentBytes
      if bytes == 0 { unsent[id] = nil }
      total += bytes
    }
    load.endTurn(unsent: total)
  }

  /// Makes a connection continue when it is its turn.
  func goOn(with connection: HTTPServerConnection) {
    guard !connection.isDelayed else { return }
    connection.isDelayed = true
    delayed.append(connection)
    // What waits again goes on in the next turn, which the end of this one causes.
    if !isTakingDelayed { nextTurn.schedule(after: 0) }
  }

  /// A connection has something to send at the end of the turn; once per turn. Between two turns it
  /// causes a new turn.
  func noteOutput(of connection: HTTPServerConnection) {
    if unflushed.isEmpty { nextTurn.schedule(after: 0) }
    unflushed.append(connection)
  }
}
