import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService
import ZoneKitSimulator

/// What a sentence about faults does to a running server. Devices keep the names that the sentence gives them, because the
/// server knows them.
struct FaultSentence: CloudStepContext {
  /// The error of a sentence that a server cannot do.
  typealias Refusal = ExitFailure

  /// The data directory, whose devices say which apps they run.
  let data: DataDirectory

  /// The effect of a step. Throws if the step is none on the faults of a server.
  func effect(of step: ScenarioStep) throws(ExitFailure) -> CloudStepEffect {
    if case .tables(let step) = step, let fault = Fault(step) { return .add(fault) }
    switch step {
    case .push(.fault(let fault)): return .add(fault.fault)
    case .push(.flow(let device)):
      return .remove(named: PushTrouble.name(to: device), otherwise: "no fault hits pushes to \(device)")
    case .cloud(let step): return fitted(try step.effect(in: self))
    case .zone(let step): return try step.effect(in: self)
    default: throw .usage("\(step.text): this is no sentence about faults of a server; zonekit run plays scenarios")
    }
  }

  /// The effect for the protocol of the device that it names.
  private func fitted(_ effect: CloudStepEffect) -> CloudStepEffect {
    guard case .add(let fault) = effect, let device = fault.scope.deviceID,
      let owner = try? data.owner(ofDevice: device, unmarkedApp: AppTable.standard.name),
      let app = AppTable.apps(in: data).flatMap(\.variants).first(where: { $0.storeName == owner.app })
    else { return effect }
    return .add(fault.fitted(to: app))
  }

  func id(of record: RecordReference) throws(ExitFailure) -> RecordID {
    guard case .named(let name) = record else {
      throw .usage("\(record.text): a server knows records by their names; write record \"NAME\"")
    }
    guard let zone = AppTable.standard.zones.first else { throw .usage("\(record.text): the app has no zone") }
    return RecordID(recordName: Name(name), zoneID: zone)
  }

  func deviceID(of device: String) -> String { device }

  func account(of holder: Holder) throws(ExitFailure) -> Name {
    switch holder {
    case .account(let name): return Name(name)
    case .device(let name): throw .usage("the account of \(name): name it as account NAME")
    }
  }

  func zone(_ name: String?) throws(ExitFailure) -> ZoneID {
    guard let name else { throw .usage("the zone: name it as zone NAME") }
    return ZoneID(zoneName: Name(name))
  }

  func subscriptionID() throws(ExitFailure) -> String { AppTable.standard.configuration.pushes.subscriptionID ?? "" }

  var wall: WallTime { SystemClock.wall }
}
