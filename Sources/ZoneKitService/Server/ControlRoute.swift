import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTables
import ZoneKitWire

/// The control interface below `/zonekit/`: the status report, live facts, the fault plan and administration. Errors
/// have CloudKit's form. Web pages of other origins cannot use it.
struct ControlRoute {
  /// The first path segment.
  static var root: String { "zonekit" }

  /// The cloud.
  let zones: FileZoneService
  /// The accounts; nil if the server has no tables.
  let accounts: FileAccountService?
  /// The rows; nil if the server has no tables.
  let rows: RowService?
  /// The documents; nil if the server has none.
  let documents: DocumentService?
  /// The push service.
  let push: PushService
  /// The sockets of channels; nil if the server has no tables.
  let sockets: RealtimeService?
  /// Decides which requests are accepted.
  let access: ControlAccess
  /// The stream of live facts.
  let events: EventFeed
  /// The live page.
  let page: PageRoute
  /// The keys of the tables; nil if the server has none.
  let keys: () -> JSON?
  /// Says which faults cannot hit anything now.
  let notes: FaultNotes
  /// The data directory.
  let data: DataDirectory
  /// Makes the server close its cloud and serve the one that is put in its place.
  let standAside: () -> Void
  /// Makes the status report.
  let statusReport: () -> JSON

  /// The route.
  var route: HTTPRoute { .ofOwnOrigin(serve) }

  private func serve(_ exchange: HTTPExchange) {
    let request = exchange.request
    // The files hold no data, and a browser cannot send the key with which it asks for them.
    if request.method == "GET", access.hostRefusal(of: request) == nil, let file = PageRoute.file(at: request.path) {
      return exchange.reply(file)
    }
    if let error = access.refusal(of: request) { return exchange.reply(Self.failure(error)) }
    switch request.path {
    case "/zonekit/status":
      guard request.method == "GET" else { return exchange.reply(Self.methods(["GET"])) }
      exchange.reply(HTTPReply(statusReport()))
    case "/zonekit/events":
      guard request.method == "GET" else { return exchange.reply(Self.methods(["GET"])) }
      events.serve(exchange)
    case "/zonekit/keys": exchange.reply(keyReply(request))
    case "/zonekit/accounts": exchange.reply(accountReply(request))
    case "/zonekit/tables": listTables(exchange)
    case "/zonekit/faults": exchange.reply(faults(request))
    case "/zonekit/administration": administer(exchange)
    default: if !page.serve(exchange) { exchange.reply(.notServed(request)) }
    }
  }

  /// All keys of the tables. No page of a browser gets them, not even one of this server.
  private func keyReply(_ request: HTTPRequest) -> HTTPReply {
    guard request.method == "GET" else { return Self.methods(["GET"]) }
    guard request.fields["Origin"] == nil else {
      return Self.failure(.permissionFailure, "web pages get no keys")
    }
    guard let keys = keys() else { return .notServed(request) }
    return HTTPReply(keys)
  }

  private func accountReply(_ request: HTTPRequest) -> HTTPReply {
    guard request.method == "GET" else { return Self.methods(["GET"]) }
    guard let accounts else { return .notServed(request) }
    do throws(StoreError) {
      return HTTPReply(["accounts": .array(try accounts.store.list())])
    } catch {
      return Self.failure(.internalError, "\(error)")
    }
  }

  /// The tables of an account, which the query may name, or of all accounts.
  private func listTables(_ exchange: HTTPExchange) {
    guard exchange.request.method == "GET" else { return exchange.reply(Self.methods(["GET"])) }
    guard let rows else { return exchange.reply(.notServed(exchange.request)) }
    rows.count(of: try? exchange.request.queryItems()["account"]) { exchange.reply(Self.reply($0)) }
  }

  // MARK: Faults and administration

  private func faults(_ request: HTTPRequest) -> HTTPReply {
    guard zones.isOpen else { return Self.closed }
    switch request.method {
    case "GET": break
    case "PUT":
      if let error = access.refusal(ofBodyOf: request) { return Self.failure(error) }
      do throws(MemberError) {
        try zones.setFaultPlan(FaultDocument(parsing: request.body))
      } catch {
        return Self.failure(.invalidArguments, error.description)
      }
    case "DELETE": zones.clearFaultPlan()
    default: return Self.methods(["GET", "PUT", "DELETE"])
    }
    let statuses = (try? zones.databaseStatuses()) ?? []
    return HTTPReply(zones.faultPlan { notes.note(on: $0, statuses) })
  }

  private func administer(_ exchange: HTTPExchange) {
    guard exchange.request.method == "POST" else { return exchange.reply(Self.methods(["POST"])) }
    if let error = access.refusal(ofBodyOf: exchange.request) { return exchange.reply(Self.failure(error)) }
    guard !StandingAside.isRequest(exchange.request.body) else { return exchange.reply(makeWay()) }
    do throws(MemberError) {
      if let accounts, let operation = try AccountAdministration(parsing: exchange.request.body) {
        return accounts.administer(operation) { exchange.reply(Self.reply($0)) }
      }
      if let rows, let operation = try TableAdministration(parsing: exchange.request.body) {
        return rows.administer(operation) { exchange.reply(Self.reply($0)) }
      }
      if let documents, let operation = try DocumentAdministration(parsing: exchange.request.body) {
        return documents.administer(operation) { exchange.reply(Self.reply($0)) }
      }
      if let delivery = try PushDelivery(parsing: exchange.request.body) {
        return exchange.reply(reply(to: delivery))
      }
      guard zones.isOpen else { return exchange.reply(Self.closed) }
      let request = try AdministrationRequest(parsing: exchange.request.body)
      zones.administer(request) { response in
        if case .failure(let error) = response { return exchange.reply(Self.failure(error)) }
        exchange.reply(Self.done)
      }
    } catch {
      exchange.reply(Self.failure(.invalidArguments, error.description))
    }
  }

  /// Stands aside for the process that replaces the state of the data directory.
  private func makeWay() -> HTTPReply {
    guard StandingAside.isWanted(in: data) else { return Self.failure(.invalidArguments, StandingAside.refusal) }
    standAside()
    return Self.done
  }

  /// Delivers a payload by hand: as a notification if the receiver gets those, otherwise on its channels. A receiver that is
  /// not known, or that cannot get the payload, is an error.
  private func reply(to delivery: PushDelivery) -> HTTPReply {
    if !delivery.isOfChannels, let outcomes = push.deliver(delivery.notification, to: delivery.receiver) {
      return HTTPReply(["done": true, "receivers": .array(outcomes.flatMap(PushDelivery.report))])
    }
    guard let topics = sockets?.deliver(delivery) else {
      let code: CloudErrorCode = push.gateway.knows(delivery.receiver) ? .invalidArguments : .unknownItem
      return Self.failure(code, refusal(of: delivery))
    }
    guard !topics.isEmpty else {
      let topic = delivery.payload["topic"]?.string
      return Self.failure(
        .unknownItem, "\(delivery.receiver) has a realtime socket and has not joined \(topic ?? "a channel")")
    }
    return HTTPReply(["done": true, "receivers": [PushDelivery.report(delivery.receiver, topics: topics)]])
  }

  /// Why a delivery reaches no receiver.
  private func refusal(of delivery: PushDelivery) -> String {
    let receiver = delivery.receiver
    guard !push.gateway.knows(receiver) else {
      return "\(receiver) gets notifications of the push service; a payload for it is an object with aps or ck"
    }
    let known = Set(push.gateway.namesOfDevices.map(\.name) + (sockets?.namesOfDevices ?? [])).sorted()
    return "no device or push token \(receiver) is registered or connected; "
      + (known.isEmpty ? "there are none" : "there are \(known.joined(separator: ", "))")
  }

  private static var done: HTTPReply { HTTPReply(status: 200, body: Array("{\"done\":true}\n".utf8)) }

  private static func reply(_ response: AccountResponse) -> HTTPReply {
    guard case .failure(let error) = response else { return done }
    let isWrong = error.code != .unexpectedFailure
    return failure(isWrong ? .invalidArguments : .serviceUnavailable, error.message)
  }

  private static func reply(_ result: Result<[JSON], RowError>) -> HTTPReply {
    switch result {
    case .success(let reports): HTTPReply(["done": true, "accounts": .array(reports)])
    case .failure(let error):
      failure(error.kind == .storeFailed ? .serviceUnavailable : .invalidArguments, error.message)
    }
  }

  private static func reply(_ result: Result<[JSON], CloudError>) -> HTTPReply {
    switch result {
    case .success(let reports): HTTPReply(["done": true, "accounts": .array(reports)])
    case .failure(let error): failure(error)
    }
  }

  // MARK: Errors

  private static var closed: HTTPReply {
    failure(.permissionFailure, "faults can be made only with --auth open on a loopback address")
  }

  static func methods(_ methods: [String]) -> HTTPReply {
    HTTPReply(CloudKitResponse(.methodNotAllowed(methods), uuid: identifier()))
  }

  static func failure(_ code: CloudErrorCode, _ reason: String) -> HTTPReply {
    failure(CloudError(code, reason))
  }

  private static func failure(_ error: CloudError) -> HTTPReply {
    HTTPReply(CloudKitResponse(error, uuid: identifier()))
  }

  private static func identifier() -> String {
    var generator = SystemGenerator()
    return RandomIdentifier.uuid(using: &generator)
  }
}
