import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService
import ZoneKitSimulator

/// Steps that act on the server.
extension ProcessPlayer {
  func play(_ step: CloudStep) throws(ProcessFailure) { try perform(step.effect(in: self)) }

  func play(_ step: ZoneStep) throws(ProcessFailure) { try perform(step.effect(in: self)) }

  private func perform(_ effect: CloudStepEffect) throws(ProcessFailure) {
    if case .expireTokens(let kind, let device) = effect { return try expireTokens(kind, of: device) }
    try world.admin.perform(effect)
  }

  /// The server records the account of a token and not the device, so only the tokens of all devices can expire.
  private func expireTokens(_ kind: TokenKind, of device: String?) throws(ProcessFailure) {
    let holders = device.map { [Holder.device($0)] } ?? world.accounts.map { Holder.account($0) }
    let accounts = try holders.map { (holder) throws(ProcessFailure) in try account(of: holder) }
    if device != nil { note = "for all devices of the account" }
    for account in accounts {
      if kind != .database { try world.admin.administer(.expireZoneTokens(try zone(nil)), of: account) }
      if kind != .zone { try world.admin.administer(.expireDatabaseTokens, of: account) }
    }
  }
}

extension ProcessPlayer: CloudStepContext {
  /// The ID of a record in the app's zone.
  package func id(of record: RecordReference) throws(ProcessFailure) -> RecordID {
    RecordID(recordName: Name(try name(of: record)), zoneID: try zone(nil))
  }

  /// The device ID that the device sends to the cloud.
  package func deviceID(of device: String) throws(ProcessFailure) -> String {
    try world.deviceID(of: try world.device(device))
  }

  /// The account that a step names.
  package func account(of holder: Holder) throws(ProcessFailure) -> Name {
    switch holder {
    case .account(let name): return try world.id(ofAccount: name)
    case .device(let name):
      guard let account = try world.device(name).account else { throw .refused("no account is signed in on \(name)") }
      return try world.id(ofAccount: account)
    }
  }

  /// The ID of a zone; of the app's zone if the name is nil.
  package func zone(_ name: String?) throws(ProcessFailure) -> ZoneID {
    if let name { return ZoneID(zoneName: Name(name)) }
    guard let zone = world.app.zones.first else { throw .refused("the app has no zone; name one") }
    return zone
  }

  /// The ID of the app's subscription.
  package func subscriptionID() throws(ProcessFailure) -> String {
    guard let id = world.app.configuration.subscriptionID else { throw .refused("the app has no subscription") }
    return id
  }

  /// The time of this machine.
  package var wall: WallTime { SystemClock.wall }
}
