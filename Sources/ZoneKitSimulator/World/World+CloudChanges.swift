import ZoneKitCloud
import ZoneKitRecords
import ZoneKitSync

/// What somebody else or an administrator changes in the cloud of an account, and what that takes away from devices.
extension World {
  /// Somebody else of that account asks a cloud that runs for something.
  @discardableResult
  package mutating func play(_ request: CloudRequest, as account: Name) -> CloudResponse {
    if case .modifyZones(let operations) = request {
      checkers.model.excuseAll(of: account)
      for case .delete(let zone) in operations { takeAway(zone, of: account) }
    }
    return ask(request, as: account)
  }

  /// An administrator does something in a cloud that runs.
  @discardableResult
  package mutating func play(_ deed: Administration, as account: Name) -> CloudResponse {
    if deed.takesRecordsAway { checkers.model.excuseAll(of: account) }
    if case .purgeZone(let zone) = deed { takeAway(zone, of: account) }
    switch deed {
    case .resetEncryptedData(let zone), .loseZone(let zone):
      checkers.returned.zoneIsLost(zone, of: account, heldBy: devices.map(\.snapshot))
    default: break
    }
    return administer(deed, as: account)
  }

  /// The cloud commits that fault from now on.
  package mutating func plant(_ fault: Fault) { cloud.faults.add(fault) }

  /// The cloud commits no fault any more.
  package mutating func endCloudFaults() { cloud.faults.removeAll() }

  private mutating func takeAway(_ zone: ZoneID, of account: Name) {
    let waiting = devices.flatMap { (try? $0.store.pending(in: zone, after: 0, limit: .max)) ?? [] }.map(\.recordID)
    checkers.returned.zoneGoes(zone, with: held(zone, of: account), of: account, waiting: Set(waiting))
  }
}

extension Administration {
  /// Whether records go that no user deleted.
  fileprivate var takesRecordsAway: Bool {
    switch self {
    case .eraseRecords, .purgeZone, .resetEncryptedData, .loseZone, .purgeTombstones: true
    case .expireZoneTokens, .expireDatabaseTokens, .dropSubscription, .muteSubscription, .endPushToken: false
    }
  }
}
