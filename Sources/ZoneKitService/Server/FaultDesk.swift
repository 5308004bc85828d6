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
    let document = FaultDocument.json(of: plan.entries, limits: limits)
    return .success(HTTPReply(status: 200, body: document.bytes(.pretty) + [UInt8(ascii: "\n")]))
  }

  /// What a request of an administrator asks for.
  func order(in request: HTTPRequest) -> Result<AdministrationRequest, Refusal> {
    guard isOpen else { return .failure(Self.closed) }
    guard request.method == "POST" else { return .failure(.method(["POST"])) }
    do {
      return .success(try AdministrationRequest(parsing: request.body))
    } catch {
      return .failure(.wrong(error.description))
    }
  }

  private static let closed = Refusal.closed("faults can be made only with --auth open on a loopback address")

  /// Why a request for the plan is refused.
  enum Refusal: Error {
    case closed(String)
    case wrong(String)
    case method([String])
  }

  private mutating func set(_ body: [UInt8], _ limits: inout Limits) throws(ControlReadingError) {
    let document = try FaultDocument(parsing: body)
    limits = try document.limits(changing: limits)
    plan = FaultPlan()
    for fault in document.faults { plan.add(fault) }
  }
}
