import Records
import Wire
import ZoneServer

/// Where a server's fault plan is kept, and what `/zonekit/faults` answers: GET lists, PUT sets, DELETE clears.
struct FaultDesk {
  /// Whether anybody may make faults here: on an open server that only this machine reaches.
  let isOpen: Bool
  private var plan = FaultPlan()
  private var generator = SystemRandomNumberGenerator()

  /// A desk without faults.
  init(isOpen: Bool) { self.isOpen = isOpen }

  /// What is to be done with a request of CloudKit Web Services.
  mutating func verdict(
    on request: CloudRequest, from caller: Caller, in database: DatabaseID
  ) -> FaultVerdict {
    plan.verdict(on: request, from: caller, in: database, using: &generator)
  }

  /// What a request for the plan comes to.
  mutating func response(to request: HTTPRequest) -> Result<HTTPReply, Refusal> {
    guard isOpen else {
      return .failure(.closed("faults can be made only with --auth open on a loopback address"))
    }
    switch request.method {
    case "GET": break
    case "PUT":
      do {
        try set(request.body)
      } catch {
        return .failure(.wrong(error.description))
      }
    case "DELETE": plan = FaultPlan()
    default: return .failure(.method(["GET", "PUT", "DELETE"]))
    }
    return .success(HTTPReply(status: 200, body: plan.json.bytes(.pretty) + [UInt8(ascii: "\n")]))
  }

  /// Why a request for the plan is refused.
  enum Refusal: Error {
    case closed(String)
    case wrong(String)
    case method([String])
  }

  private mutating func set(_ body: [UInt8]) throws(FaultReadingError) {
    let document: JSON
    do {
      document = try JSON(parsing: body)
    } catch {
      throw FaultReadingError("the body", "is no JSON: \(error)")
    }
    let faults = try FaultPlan.faults(in: document)
    plan = FaultPlan()
    for fault in faults { plan.add(fault) }
  }
}
