import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// The fault plan of a server and its random generator. Documents set, list and clear the plan, and can change the
/// cloud's limits.
struct FaultInjector {
  /// Whether faults can be set: only on an open server that only this machine can reach.
  let isOpen: Bool
  /// The limits with which the server was started.
  let usualLimits: Limits
  private var plan = FaultPlan()
  private var generator = SystemGenerator()

  /// An injector without faults.
  init(isOpen: Bool, limits: Limits) {
    self.isOpen = isOpen
    usualLimits = limits
  }

  /// What the plan does to a request.
  mutating func verdict(on request: CloudRequest, from caller: Caller, in database: DatabaseID) -> FaultVerdict {
    plan.verdict(on: request, from: caller, in: database, using: &generator)
  }

  /// Whether there are faults.
  var hasFaults: Bool { !plan.isEmpty }

  /// What the plan does to a request of a service of tables; nil for nothing.
  mutating func faults(on subject: FaultSubject) -> RequestFaults? { plan.faults(on: subject, using: &generator) }

  /// The plan and the limits as JSON.
  func document(_ limits: Limits) -> JSON {
    FaultDocument.json(of: plan.entries, limits: limits)
  }

  /// Sets the plan and changes limits. Throws if the document is invalid; then nothing has changed.
  mutating func set(_ document: FaultDocument, _ limits: inout Limits) throws(ControlReadingError) {
    limits = try document.limits(changing: limits)
    plan = FaultPlan()
    for fault in document.faults { plan.add(fault) }
  }

  /// Removes all faults and resets the limits.
  mutating func clear(_ limits: inout Limits) {
    plan = FaultPlan()
    limits = usualLimits
  }
}
