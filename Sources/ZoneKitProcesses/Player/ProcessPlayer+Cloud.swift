import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService

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
    let named = try device.map { (name) throws(ProcessFailure) in try account(of: .device(name)) }
    let all = try world.accounts.map { (account) throws(ProcessFailure) in
      try world.id(ofAccount: account.name, of: account.app)
    }
    if device != nil { note = "for all devices of the account" }
    for account in named.map({ [$0] }) ?? all {
      let zone = try zone(nil, of: world.app(ofAccount: account))
      if kind != .database { try world.admin.administer(.expireZoneTokens(zone), of: account) }
      if kind != .zone { try world.admin.administer(.expireDatabaseTokens, of: account) }
    }
  }
}

extension ProcessPlayer: CloudStepContext {
  /// The ID of a record in its app's zone.
  package func id(of record: RecordReference) throws(ProcessFailure) -> RecordID {
    RecordID(recordName: Name(try name(of: record)), zoneID: try zone(nil, of: try app(of: record)))
  }

  /// The device ID that the device sends to the cloud.
  package func deviceID(of device: String) throws(ProcessFailure) -> String {
    try world.deviceID(of: try world.device(device))
  }

  /// The account that a step names.
  package func account(of holder: Holder) throws(ProcessFailure) -> Name {
    switch holder {
    case .account(let name):
      let app = world.accounts.first { $0.name == name }?.app ?? world.app
      return try world.id(ofAccount: name, of: app)
    case .device(let name):
      let device = try world.device(name)
      guard let account = device.account else { throw .refused("no account is signed in on \(name)") }
      return try world.id(ofAccount: account, of: device.app)
    }
  }

  /// The ID of a zone; of the app's zone if the name is nil.
  package func zone(_ name: String?) throws(ProcessFailure) -> ZoneID { try zone(name, of: world.app) }

  /// The ID of a zone; of that app's zone if the name is nil.
  func zone(_ name: String?, of app: DeviceApp) throws(ProcessFailure) -> ZoneID {
    if let name { return ZoneID(zoneName: Name(name)) }
    guard let zone = app.zones.first else { throw .refused("the app \(app.name) has no zone; name one") }
    return zone
  }

  /// The ID of the app's subscription.
  package func subscriptionID() throws(ProcessFailure) -> String {
    guard let id = world.app.configuration.pushes.subscriptionID else { throw .refused("the app has no subscription") }
    return id
  }

  /// The time of this machine.
  package var wall: WallTime { SystemClock.wall }
}
