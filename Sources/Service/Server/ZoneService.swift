import EventLoop
import Records
import Storage
import Wire
import ZoneServer

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
  private var nextTurn: EventLoop.Timer?
  /// The server's own URL, for links in answers.
  var root = ""
  /// Writes the status report.
  var statusReport: (() -> [UInt8])?
  /// Told of everything worth writing down.
  var onFact: ((Fact) -> Void)?

  init(
    store: CloudFiles, limits: Limits, authentication: Authentication, clock: SystemClock, push: PushService
  ) {
    server = ZoneServer(store: store, limits: limits)
    self.authentication = authentication
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

  func accept(_ stream: EventLoop.Connection) {
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
    server.receive(
      request.request, ticket: ticket, in: database, from: caller, at: clock.now.wall, using: &generator)
    return .awaited(ticket, request, caller)
  }

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
    for effect in server.endTurn() {
      switch effect {
      case .answer(let ticket, let response): answers[ticket.number] = response
      case .notify(let notice): push.notify(notice)
      case .registered(let registration, let database): push.register(registration, in: database)
      case .fact(let fact): onFact?(fact)
      }
    }
    let exchanges = turn
    turn.removeAll(keepingCapacity: true)
    for (index, exchange) in exchanges.enumerated() {
      exchange.connection.append(reply(of: exchange, answer: answers[index]), to: exchange.request)
    }
    for exchange in exchanges { exchange.connection.flush() }
    delayed = exchanges.map(\.connection).filter(\.hasMore)
    if !delayed.isEmpty { nextTurn?.schedule(after: 0) }
    push.endTurn()
  }

  private func reply(of exchange: Exchange, answer: CloudResponse?) -> HTTPReply {
    switch exchange.reply {
    case .ready(let reply): return reply
    case .awaited(_, let request, let caller):
      let missing = CloudResponse.failure(CloudError(.internalError, "the request was not answered; this is a defect"))
      return HTTPReply(
        CloudKitResponse(answer ?? missing, to: request, of: caller, uuid: uuid(), root: root))
    }
  }

  // MARK: Reports

  /// What every database of the cloud holds. Throws where one cannot be read.
  func databaseStatuses() throws(StoreError) -> [DatabaseStatus] {
    try server.store.databases().map { (database) throws(StoreError) in try server.status(of: database) }
  }

  /// Ends the files in good order.
  func close() { server.store.close() }
}
