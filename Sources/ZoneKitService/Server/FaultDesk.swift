import ZoneKitRecords
import ZoneKitWire
import ZoneKitCloud

/// Where a server's fault plan is kept, and what `/zonekit/faults` answers: GET lists, PUT sets, DELETE clears. Beside the
/// faults stand the limits, which a PUT may change and a DELETE sets back; and `/zonekit/administration` takes deeds.
struct FaultDesk {
  /// Whether anybody may make faults here: on an open server that only this machine reaches.
  let isOpen: Bool
  /// The limits that the server was started with.
  let usualLimits: Limits
  private var plan = FaultPlan()
  private var generator = SystemRandomNumberGenerator()

  /// A desk without faults.
  init(isOpen: Bool, limits: Limits) {
    self.isOpen = isOpen
    usualLimits = limits
  }

  /// What is to be done with a request of CloudKit Web Services.
  mutating func verdict(
    on request: CloudRequest, from caller: Caller, in database: DatabaseID
  ) -> FaultVerdict {
    plan.verdict(on: request, from: caller, in: database, using: &generator)
  }

  /// What a request for the plan comes to, and what it changes of the limits.
  mutating func response(to request: HTTPRequest, limits: inout Limits) -> Result<HTTPReply, Refusal> {
    guard isOpen else { return .failure(Self.closed) }
    switch request.method {
    case "GET": break
    case "PUT":
      do {
        try set(request.body, &limits)
      } catch {
        return .failure(.wrong(error.description))
      }
    case "DELETE":
      plan = FaultPlan()
      limits = usualLimits
    default: return .failure(.method(["GET", "PUT", "DELETE"]))
    }
    let document = JSON.object((plan.json.object ?? []) + [JSON.Member("limits", limits.json)])
    return .success(HTTPReply(status: 200, body: document.bytes(.pretty) + [UInt8(ascii: "\n")]))
  }

  /// A deed that an administrator asks for, where, and on whose account.
  struct Order {
    var deed: Administration
    var database: DatabaseID
    var caller: Caller
  }

  /// What a request of an administrator asks for.
  func order(in request: HTTPRequest) -> Result<Order, Refusal> {
    guard isOpen else { return .failure(Self.closed) }
    guard request.method == "POST" else { return .failure(.method(["POST"])) }
    do {
      return .success(try Self.order(in: Self.document(request.body)))
    } catch {
      return .failure(.wrong(error.description))
    }
  }

  private static func order(in document: JSON) throws(FaultReadingError) -> Order {
    let places = ["container", "environment", "scope", "user", "device"]
    let members = try JSONMembers(document, at: "administration", known: Administration.keys + places)
    guard let scope = DatabaseScope(rawValue: try members.text("scope") ?? "private") else {
      throw members.wrong("scope", "must be private, shared or public")
    }
    let caller = Caller(
      user: Name(try members.required("user", "the name of an account")), deviceID: try members.text("device"))
    let database = DatabaseID(
      container: Name(try members.required("container", "the name of a container")),
      environment: Name(try members.text("environment") ?? "development"), user: caller.user, scope: scope)
    return Order(deed: try Administration(members), database: database, caller: caller)
  }

  private static let closed = Refusal.closed("faults can be made only with --auth open on a loopback address")

  /// Why a request for the plan is refused.
  enum Refusal: Error {
    case closed(String)
    case wrong(String)
    case method([String])
  }

  private mutating func set(_ body: [UInt8], _ limits: inout Limits) throws(FaultReadingError) {
    let document = try Self.document(body)
    let faults = try FaultPlan.faults(in: document)
    if let changes = document["limits"] { limits = try limits.changed(by: changes) }
    plan = FaultPlan()
    for fault in faults { plan.add(fault) }
  }

  private static func document(_ body: [UInt8]) throws(FaultReadingError) -> JSON {
    do {
      return try JSON(parsing: body)
    } catch {
      throw FaultReadingError("the body", "is no JSON: \(error)")
    }
  }
}
