import ZoneKitCloud
import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService
import ZoneKitSimulator

/// What the steps about the cloud do to the server.
extension RealPlayer {
  func play(_ step: CloudStep) throws(ExitFailure) { try perform(step.effect(in: self)) }

  func play(_ step: ZoneStep) throws(ExitFailure) { try perform(step.effect(in: self)) }

  private func perform(_ effect: CloudEffect) throws(ExitFailure) {
    switch effect {
    // A fault of the plan strikes at least one of a thousand requests.
    case .add(let fault): if fault.perMille > 0 { try stage.addFault(fault) }
    case .replace(let fault):
      _ = try stage.removeFaults(named: fault.name)
      try stage.addFault(fault)
    case .remove(let name, let refusal):
      guard try stage.removeFaults(named: name) else { throw .usage(refusal) }
    case .removeAll: try stage.clearFaults()
    case .administer(let deed, let account): try stage.administer(deed, of: account)
    case .ask(let request, let account): try stage.ask(request, as: account)
    case .doubleSubscription(let id, let account): try stage.doubleSubscription(id, of: account)
    case .expireTokens(let kind, let device): try expireTokens(kind, of: device)
    case .fillDisk: throw .virtualOnly("no process can do that")
    }
  }

  /// The cloud knows accounts, not which of their devices holds which token.
  private func expireTokens(_ kind: TokenKind, of device: String?) throws(ExitFailure) {
    let accounts =
      try device.map { (name) throws(ExitFailure) in [try account(of: .device(name))] } ?? stage.accounts.map { Name($0) }
    if device != nil { note = "for all devices of the account" }
    for account in accounts {
      if kind != .database { try stage.administer(.expireZoneTokens(try zone(nil)), of: account) }
      if kind != .zone { try stage.administer(.expireDatabaseTokens, of: account) }
    }
  }
}

extension RealPlayer: CloudEffectContext {
  func id(of record: RecordReference) throws(ExitFailure) -> RecordID {
    RecordID(recordName: Name(try name(of: record)), zoneID: try zone(nil))
  }

  func deviceID(of device: String) throws(ExitFailure) -> String { try stage.deviceID(of: try stage.device(device)) }

  func account(of holder: Holder) throws(ExitFailure) -> Name {
    switch holder {
    case .account(let name): return Name(name)
    case .device(let name):
      guard let account = try stage.device(name).account else { throw .usage("nobody is signed in on \(name)") }
      return Name(account)
    }
  }

  func zone(_ name: String?) throws(ExitFailure) -> ZoneID { name.map { ZoneID(zoneName: Name($0)) } ?? NannyZone.zoneID }

  func subscriptionID() throws(ExitFailure) -> String {
    guard let id = NannySimulation.app.configuration.subscriptionID else { throw .usage("the app has no subscription") }
    return id
  }

  var wall: WallTime { SystemClock.wall }
}
