import ZoneKitCloud
import ZoneKitRecords
import ZoneKitSync

/// Changes in an account's cloud by other clients or an administrator, and their consequences for the checkers.
extension World {
  /// Sends a request of another client of the account to a running cloud.
  @discardableResult
  package mutating func play(_ request: CloudRequest, as account: Name) -> CloudResponse {
    var contents: [ZoneContent] = []
    if case .modifyZones(let operations) = request {
      check(account) { $0.model.excuseAll(of: account) }
      for case .delete(let zone) in operations { contents.append(content(of: zone, of: account)) }
    }
    noteBegun(by: request, of: account)
    let response = ask(request, as: account)
    for content in contents { takeAway(content, of: account, after: response) }
    return response
  }

  /// Performs an administrator's operation on a running cloud.
  @discardableResult
  package mutating func play(_ action: Administration, as account: Name) -> CloudResponse {
    if action.takesRecordsAway { check(account) { $0.model.excuseAll(of: account) } }
    var purged: ZoneContent?
    switch action {
    case .purgeZone(let zone): purged = content(of: zone, of: account)
    case .resetEncryptedData(let zone), .loseZone(let zone):
      let holders = devices.map(\.snapshot)
      check(account) { $0.returned.zoneIsLost(zone, of: account, heldBy: holders) }
    default: break
    }
    let response = administer(action, as: account)
    if let purged { takeAway(purged, of: account, after: response) }
    return response
  }

  /// The number of clients that are not among the devices, in the model of the checkers.
  private static let foreigner = -1

  /// Lets a client that is not one of the devices write a record of an account, and notes the edit. Throws the error of
  /// `write`.
  mutating func edit<Failure>(
    _ id: RecordID, of account: Name, fromOutside write: (inout World) throws(Failure) -> Void
  ) throws(Failure) {
    let before = cloudRecord(id, of: account).map { RecordContent(inCloud: $0) }
    try write(&self)
    let after = cloudRecord(id, of: account).map { RecordContent(inCloud: $0) }
    check(account) {
      $0.model.edited(RecordKey(account: account, id: id), from: before, to: after, by: Self.foreigner)
    }
  }

  /// Adds a fault to the cloud's plan.
  package mutating func plant(_ fault: Fault) { cloud.process.faults.add(fault) }

  /// Removes all faults from the cloud's plan.
  package mutating func endCloudFaults() { cloud.process.faults.removeAll() }

  /// What a zone and its devices hold before it goes.
  private struct ZoneContent {
    let zone: ZoneID
    let held: [Record]
    let waiting: Set<RecordID>
  }

  private mutating func content(of zone: ZoneID, of account: Name) -> ZoneContent {
    let waiting = devices.flatMap { (try? $0.store.pending(in: zone, after: 0, limit: .max)) ?? [] }.map(\.recordID)
    return ZoneContent(zone: zone, held: held(zone, of: account), waiting: Set(waiting))
  }

  /// The zone went with that content, unless the cloud refused it.
  private mutating func takeAway(_ content: ZoneContent, of account: Name, after response: CloudResponse) {
    guard !response.refuses(content.zone) else { return }
    check(account) { $0.returned.zoneGoes(content.zone, with: content.held, of: account, waiting: content.waiting) }
  }
}

extension CloudResponse {
  /// Whether an operation on that zone was not carried out.
  fileprivate func refuses(_ zone: ZoneID) -> Bool {
    switch self {
    case .failure: true
    case .zones(let results): results.contains { if case .failed(zone, _) = $0 { true } else { false } }
    default: false
    }
  }
}

extension Administration {
  /// Whether records disappear that no user deleted.
  fileprivate var takesRecordsAway: Bool {
    switch self {
    case .eraseRecords, .purgeZone, .resetEncryptedData, .loseZone, .purgeTombstones: true
    case .expireZoneTokens, .expireDatabaseTokens, .dropSubscription, .muteSubscription, .endPushToken: false
    }
  }
}
