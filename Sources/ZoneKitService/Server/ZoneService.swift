import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire
import ZoneKitCloud

/// The cloud behind HTTP: requests of a turn are worked out as they come in, committed together, then answered in order,
/// and then the push service tells the devices.
final class ZoneService {
  private var server: ZoneServer<CloudFiles>
  private let authentication: Authentication
  private let clock: SystemClock
  private let push: PushService
  private var turn: [Exchange] = []
  /// How many requests of CloudKit Web Services were taken in.
  private(set) var requests = 0
  private var generator = SystemRandomNumberGenerator()
  /// Connections whose clients sent more requests ahead than one turn takes.
  private var delayed: [HTTPServerConnection] = []
  private var nextTurn: ZoneKitEventLoop.Timer?
  private var faults: FaultDesk
  private var late = LateReplies()
  private var lateTurn: ZoneKitEventLoop.Timer?
  /// The server's own URL, for links in answers.
  var root = ""
  /// Writes the status report.
  var statusReport: (() -> [UInt8])?
  /// Told of everything worth writing down.
  var onFact: ((CloudFact) -> Void)?

  init(
    store: CloudFiles, limits: Limits, authentication: Authentication, faults: FaultDesk, clock: SystemClock,
    push: PushService
  ) {
    server = ZoneServer(store: store, limits: limits)
    self.authentication = authentication
    self.faults = faults
    self.clock = clock
    self.push = push
  }

  /// Readies the service to go on with clients that send many requests ahead.
  func start(on loop: Loop) {
    nextTurn = Timer(on: loop) { [unowned self] in
      let connections = self.delayed
      self.delayed = []
      for connection in connections { connection.take() }
    }
    lateTurn = Timer(on: loop) { [unowned self] in self.sendLateReplies() }
  }

  /// Makes every registration that the store holds known to the push service. Throws where a database cannot be read.
  func loadRegistrations() throws(StoreError) {
    for database in try server.store.databases() {
      for registration in try server.store.database(database).registrations {
        push.register(registration, in: database)
      }
    }
  }

  // MARK: Requests

  func accept(_ stream: ZoneKitEventLoop.Connection) {
    _ = HTTPServerConnection(stream) { [unowned self] in self.received($1, on: $0) }
  }

  private func received(_ event: HTTPRequestParser.Event, on connection: HTTPServerConnection) {
    switch event {
    case .request(let request):
      turn.append(Exchange(connection: connection, request: request, reply: reply(to: request)))
    case .refused(let problem):
      var reply = HTTPReply.failure(CloudError(.invalidArguments, problem.reason), uuid: uuid())
      reply.status = problem.status
      turn.append(Exchange(connection: connection, request: nil, reply: .ready(reply)))
    case .continueExpected: break
    }
  }

  private func reply(to request: HTTPRequest) -> Exchange.Reply {
    if request.method == "OPTIONS" { return .ready(Self.preflight) }
    if request.path == "/zonekit/status" { return .ready(status(method: request.method)) }
    if request.path == "/zonekit/faults" { return .ready(faultPlan(request)) }
    if request.path == "/zonekit/administration" { return administer(request) }
    let parsed: CloudKitRequest
    do {
      parsed = try CloudKitRequest(request)
    } catch {
      return .ready(refusal(error))
    }
    return submit(parsed)
  }

  private func submit(_ request: CloudKitRequest) -> Exchange.Reply {
    let caller: Caller
    switch authentication.caller(
      apiToken: request.apiToken, webAuthToken: request.webAuthToken, deviceID: request.deviceID)
    {
    case .success(let known): caller = known
    case .failure(let error): return .ready(.failure(error, uuid: uuid()))
    }
    requests += 1
    let ticket = Ticket(turn.count)
    let route = request.route
    let database = DatabaseID(
      container: route.container, environment: route.environment, user: caller.user, scope: route.scope)
    switch faults.verdict(on: request.request, from: caller, in: database) {
    case .pass:
      server.receive(
        request.request, ticket: ticket, in: database, from: caller, at: clock.now.wall, using: &generator)
      return .awaited(ticket, request, caller)
    case .faulty(let exchange):
      guard let narrowed = exchange.request else { return .faulty(exchange, nil, request, caller) }
      for application in 1...exchange.applications {
        server.receive(
          narrowed, ticket: application == exchange.applications ? ticket : Self.unheard, in: database, from: caller,
          at: clock.now.wall, visibleDelay: exchange.visibleDelayMilliseconds, using: &generator)
      }
      return .faulty(exchange, ticket, request, caller)
    }
  }

  /// The ticket of an application whose answer nobody waits for.
  private static let unheard = Ticket(-1)

  private func refusal(_ failure: RequestFailure) -> HTTPReply {
    switch failure {
    case .notFound(let reason): return .failure(CloudError(.unknownItem, reason), uuid: uuid())
    case .badRequest(let reason): return .failure(CloudError(.invalidArguments, reason), uuid: uuid())
    case .methodNotAllowed(let methods):
      let error = CloudError(.invalidArguments, "this endpoint takes \(methods.joined(separator: " and "))")
      return .failure(error, uuid: uuid(), allow: methods)
    }
  }

  private func status(method: String) -> HTTPReply {
    guard method == "GET", let statusReport else { return refusal(.methodNotAllowed(["GET"])) }
    return HTTPReply(status: 200, body: statusReport())
  }

  private func faultPlan(_ request: HTTPRequest) -> HTTPReply {
    switch faults.response(to: request, limits: &server.limits) {
    case .success(let reply): reply
    case .failure(let why): refusal(why)
    }
  }

  private func administer(_ request: HTTPRequest) -> Exchange.Reply {
    switch faults.order(in: request) {
    case .success(let order):
      let ticket = Ticket(turn.count)
      server.administer(
        order.deed, ticket: ticket, in: order.database, from: order.caller, at: clock.now.wall, using: &generator)
      return .administered(ticket)
    case .failure(let why): return .ready(refusal(why))
    }
  }

  private func refusal(_ why: FaultDesk.Refusal) -> HTTPReply {
    switch why {
    case .closed(let why): .failure(CloudError(.permissionFailure, why), uuid: uuid())
    case .wrong(let why): .failure(CloudError(.invalidArguments, why), uuid: uuid())
    case .method(let methods): refusal(.methodNotAllowed(methods))
    }
  }

  /// A page from anywhere may call the emulator, as CloudKit JS does (CloudKit Web Services, e.4).
  private static var preflight: HTTPReply {
    var reply = HTTPReply(status: 204, body: [])
    reply.fields = [
      HTTPField("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
      HTTPField("Access-Control-Allow-Headers", "Content-Type"), HTTPField("Access-Control-Max-Age", "86400"),
    ]
    return reply
  }

  private func uuid() -> String { RandomIdentifier.uuid(using: &generator) }

  // MARK: The end of a turn

  /// Commits what the turn's requests changed, answers them, and sends the pushes.
  func endTurn() {
    var answers = [CloudResponse?](repeating: nil, count: turn.count)
    for effect in server.endTurn(using: &generator) {
      switch effect {
      case .answer(let ticket, let response): if ticket != Self.unheard { answers[ticket.number] = response }
      case .notify(let notice): push.notify(notice)
      case .registered(let registration, let database): push.register(registration, in: database)
      case .unregistered(let token): push.unregister(token: token)
      case .fact(let fact): onFact?(fact)
      }
    }
    let exchanges = turn
    turn.removeAll(keepingCapacity: true)
    for (index, exchange) in exchanges.enumerated() { answer(exchange, with: answers[index]) }
    for exchange in exchanges { exchange.connection.flush() }
    goOn(with: exchanges.map(\.connection))
    push.endTurn()
  }

  /// Lets connections whose clients sent more go on in the next turn.
  private func goOn(with connections: [HTTPServerConnection]) {
    delayed += connections.filter(\.hasMore)
    if !delayed.isEmpty { nextTurn?.schedule(after: 0) }
  }

  private func answer(_ exchange: Exchange, with response: CloudResponse?) {
    let (reply, delay) = reply(of: exchange, response: response)
    guard delay > 0 || (!late.isEmpty && late.holds(exchange.connection)) else {
      return send(reply, to: exchange.request, on: exchange.connection)
    }
    let now = clock.now.monotonic.milliseconds
    late.add(reply, to: exchange.request, on: exchange.connection, due: now + delay)
    if let due = late.nextDue { lateTurn?.schedule(at: due) }
  }

  private func send(_ reply: HTTPReply?, to request: HTTPRequest?, on connection: HTTPServerConnection) {
    if let reply { connection.append(reply, to: request) } else { connection.breakOff() }
  }

  private func sendLateReplies() {
    let due = late.take(at: clock.now.monotonic.milliseconds)
    for late in due {
      send(late.reply, to: late.request, on: late.connection)
      late.connection.flush()
    }
    goOn(with: due.map(\.connection))
    if let next = late.nextDue { lateTurn?.schedule(at: next) }
  }

  /// What to send, nil for nothing, and how many milliseconds later.
  private func reply(of exchange: Exchange, response: CloudResponse?) -> (HTTPReply?, delay: Int64) {
    let missing = CloudResponse.failure(CloudError(.internalError, "the request was not answered; this is a defect"))
    switch exchange.reply {
    case .ready(let reply): return (reply, 0)
    case .administered: return (deedReply(response ?? missing), 0)
    case .awaited(_, let request, let caller): return (reply(response ?? missing, to: request, of: caller), 0)
    case .faulty(let fault, let ticket, let request, let caller):
      let answer = fault.answer(to: ticket.map { _ in response ?? missing })
      return (answer.map { reply($0, to: request, of: caller) }, fault.delayMilliseconds)
    }
  }

  private func deedReply(_ response: CloudResponse) -> HTTPReply {
    if case .failure(let error) = response { return .failure(error, uuid: uuid()) }
    return HTTPReply(status: 200, body: Array("{\"done\":true}\n".utf8))
  }

  private func reply(_ response: CloudResponse, to request: CloudKitRequest, of caller: Caller) -> HTTPReply {
    HTTPReply(CloudKitResponse(response, to: request, of: caller, uuid: uuid(), root: root))
  }

  // MARK: Reports

  /// What every database of the cloud holds. Throws where one cannot be read.
  func databaseStatuses() throws(StoreError) -> [DatabaseStatus] {
    try server.store.databases().map { (database) throws(StoreError) in try server.status(of: database) }
  }

  /// Ends the files in good order.
  func close() { server.store.close() }
}
