import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// The control interface below `/zonekit/`: the status report, live facts, the fault plan and administration. Errors
/// have CloudKit's form. Web pages of other origins cannot use it.
struct ControlRoute<Store: ZoneStore> {
  /// The first path segment.
  static var root: String { "zonekit" }

  /// The cloud.
  let zones: ZoneService<Store>
  /// Decides which requests are accepted.
  let access: ControlAccess
  /// The stream of live facts.
  let events: EventFeed
  /// Makes the status report.
  let statusReport: () -> JSON

  /// The route.
  var route: HTTPRoute {
    var route = HTTPRoute { serve($0) }
    route.servesOtherOrigins = false
    return route
  }

  private func serve(_ exchange: HTTPExchange) {
    let request = exchange.request
    if let error = access.refusal(of: request) { return exchange.reply(Self.failure(error)) }
    switch request.path {
    case "/zonekit/status":
      guard request.method == "GET" else { return exchange.reply(Self.methods(["GET"])) }
      exchange.reply(HTTPReply(statusReport()))
    case "/zonekit/events":
      guard request.method == "GET" else { return exchange.reply(Self.methods(["GET"])) }
      events.serve(exchange)
    case "/zonekit/faults": exchange.reply(faults(request))
    case "/zonekit/administration": administer(exchange)
    default: exchange.reply(.notServed(request))
    }
  }

  // MARK: Faults and administration

  private func faults(_ request: HTTPRequest) -> HTTPReply {
    guard zones.isOpen else { return Self.closed }
    switch request.method {
    case "GET": break
    case "PUT":
      if let error = access.refusal(ofBodyOf: request) { return Self.failure(error) }
      do throws(ControlReadingError) {
        try zones.setFaultPlan(FaultDocument(parsing: request.body))
      } catch {
        return Self.failure(CloudError(.invalidArguments, error.description))
      }
    case "DELETE": zones.clearFaultPlan()
    default: return Self.methods(["GET", "PUT", "DELETE"])
    }
    return HTTPReply(zones.faultPlan)
  }

  private func administer(_ exchange: HTTPExchange) {
    guard zones.isOpen else { return exchange.reply(Self.closed) }
    guard exchange.request.method == "POST" else { return exchange.reply(Self.methods(["POST"])) }
    if let error = access.refusal(ofBodyOf: exchange.request) { return exchange.reply(Self.failure(error)) }
    do throws(ControlReadingError) {
      zones.administer(try AdministrationRequest(parsing: exchange.request.body)) { response in
        if case .failure(let error) = response { return exchange.reply(Self.failure(error)) }
        exchange.reply(HTTPReply(status: 200, body: Array("{\"done\":true}\n".utf8)))
      }
    } catch {
      exchange.reply(Self.failure(CloudError(.invalidArguments, error.description)))
    }
  }

  // MARK: Errors

  private static var closed: HTTPReply {
    failure(CloudError(.permissionFailure, "faults can be made only with --auth open on a loopback address"))
  }

  private static func methods(_ methods: [String]) -> HTTPReply {
    HTTPReply(CloudKitResponse(.methodNotAllowed(methods), uuid: identifier()))
  }

  private static func failure(_ error: CloudError) -> HTTPReply {
    HTTPReply(CloudKitResponse(error, uuid: identifier()))
  }

  private static func identifier() -> String {
    var generator = SystemGenerator()
    return RandomIdentifier.uuid(using: &generator)
  }
}
