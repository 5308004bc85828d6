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

  /// The names of devices beside those in their requests.
  private let deviceNames: DeviceNames

  /// An injector without faults.
  init(isOpen: Bool, limits: Limits, deviceNames: DeviceNames = DeviceNames()) {
    self.isOpen = isOpen
    self.deviceNames = deviceNames
    usualLimits = limits
  }

  /// What the plan does to a request.
  mutating func verdict(on request: CloudRequest, from caller: Caller, in database: DatabaseID) -> FaultVerdict {
    guard hasFaults else { return .pass }
    return plan.verdict(
      on: request, from: caller, called: names(ofDevice: caller.deviceID), in: database, using: &generator)
  }

  /// The names of the device of that ID.
  private func names(ofDevice id: String?) -> [String] { id.map { deviceNames.names(of: $0) } ?? [] }

  /// Whether there are faults.
  var hasFaults: Bool { !plan.isEmpty }

  /// What the plan does to a request of a service of tables; nil for nothing.
  mutating func faults(on subject: FaultSubject) -> RequestFaults? {
    var subject = subject
    subject.devices += subject.devices.flatMap { [deviceNames] in deviceNames.names(of: $0) }
    return plan.faults(on: subject, using: &generator)
  }

  /// What the plan does to a push on its way to one receiver; nil for nothing.
  mutating func pushFault(on subject: FaultSubject) -> PushFault? {
    var subject = subject
    if let delivery = subject.delivery {
      subject.delivery?.receivers += delivery.receivers.flatMap { [deviceNames] in deviceNames.names(of: $0) }
      subject.delivery?.authors += delivery.authors.flatMap { [deviceNames] in deviceNames.names(of: $0) }
    }
    return plan.pushFault(on: subject, using: &generator)
  }

  /// Whether a fault makes pushes wait for the next one.
  var swapsPushes: Bool { plan.swapsPushes }

  /// The plan and the limits as JSON. `note` says why a fault cannot hit anything now; nil if it can.
  func document(_ limits: Limits, note: (Fault) -> String?) -> JSON {
    FaultDocument.json(of: plan.entries, limits: limits, note: note)
  }

  /// Sets the plan and changes limits. Throws if the document is invalid; then nothing has changed.
  mutating func set(_ document: FaultDocument, _ limits: inout Limits) throws(ControlReadingError) {
    limits = try document.limits(changing: limits)
    plan.set(Array(zip(document.ids, document.faults)))
  }

  /// Removes all faults and resets the limits.
  mutating func clear(_ limits: inout Limits) {
    plan.removeAll()
    limits = usualLimits
  }
}
