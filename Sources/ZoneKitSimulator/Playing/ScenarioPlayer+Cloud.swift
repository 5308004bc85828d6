import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitSync

/// What the steps about the cloud do to the world.
extension ScenarioPlayer {
  mutating func perform(_ step: CloudStep) throws(StepRefusal) {
    if let fault = step.fault { return try add(fault) }
    switch step {
    case .refuse(let record, let code): try refuse(try witness.record(record), code)
    case .accept(let record):
      let id = try witness.record(record)
      guard end(.refusal(id)) else { throw StepRefusal("it is not refused") }
    case .refuseAbove(let count):
      let error = CloudError(.limitExceeded, "at most \(count) records at once")
      world.cloud.faults.add(Fault(.refuse(error), on: FaultScope(.modifyRecords, itemsAbove: count), name: step.text))
    case .full:
      let error = CloudError(.quotaExceeded, "the account's storage is full")
      stand(.full, Fault(.refuseItems(error), on: FaultScope(.saveRecords), name: step.text))
    case .hasRoom: guard end(.full) else { throw StepRefusal("it is not full") }
    case .showLate(let span):
      stand(.late, Fault(.staleFeed(milliseconds: span.milliseconds), name: step.text))
    case .omit(let record, let count, let device):
      let scope = FaultScope(
        .fetchZoneChanges, deviceID: device, recordNames: [try witness.record(record).recordName])
      try add(Fault(telling: .omitRecords, on: scope, times: count.limit))
    case .expireTokens(let kind, let device): try expireTokens(kind, of: device)
    case .expireDatabaseTokens(let holder): try administer(.expireDatabaseTokens, of: holder)
    case .loseSubscription(let holder): try administer(.dropSubscription(try subscriptionID()), of: holder)
    case .muteSubscription(let holder): try administer(.muteSubscription(try subscriptionID()), of: holder)
    case .doubleSubscription(let device): try doubleSubscription(of: device)
    case .fullDisk(let isFull): world.setCloudDisk(isFull: isFull)
    case .behave:
      world.cloud.faults.removeAll()
      standing = [:]
    case .answer, .loseAnswer, .loseRequest, .delayAnswer, .repeatRequest, .refuseItems, .partly, .staleFeed,
      .stuckToken, .doubleRecords, .listZone:
      throw StepRefusal("this is for requests of which a share may be meant")
    }
  }

  mutating func perform(_ step: ZoneStep) throws(StepRefusal) {
    switch step {
    case .create(let name, let holder): try ask(.modifyZones([.create(try zone(name))]), as: holder)
    case .delete(let name, let holder): try ask(.modifyZones([.delete(try zone(name))]), as: holder)
    case .purge(let name, let holder): try administer(.purgeZone(try zone(name)), of: holder)
    case .resetKeys(let name, let holder): try administer(.resetEncryptedData(try zone(name)), of: holder)
    case .lose(let name, let holder): try administer(.loseZone(try zone(name)), of: holder)
    case .forgetDeletions(let name, let holder, let time):
      let time = time ?? world.wall.advanced(byMilliseconds: 1)
      try administer(.purgeTombstones(try zone(name), before: time), of: holder)
    case .expireTokens(let name, let holder): try administer(.expireZoneTokens(try zone(name)), of: holder)
    }
  }

  // MARK: Faults

  private mutating func add(_ fault: Fault) throws(StepRefusal) {
    if let device = fault.scope.deviceID { _ = try number(device) }
    world.cloud.faults.add(fault)
  }

  private mutating func refuse(_ id: RecordID, _ code: CloudErrorCode) throws(StepRefusal) {
    let scope = FaultScope(.saveRecords, zoneName: id.zoneID.zoneName, recordNames: [id.recordName])
    stand(.refusal(id), Fault(.refuseItems(.planted(code)), on: scope, name: "refuse"))
  }

  private mutating func stand(_ what: StandingFault, _ fault: Fault) {
    _ = end(what)
    standing[what] = world.cloud.faults.add(fault)
  }

  /// Ends a fault that lasts; says whether there was one.
  private mutating func end(_ what: StandingFault) -> Bool {
    guard let fault = standing.removeValue(forKey: what) else { return false }
    world.cloud.faults.remove(fault)
    return true
  }

  mutating func setAccount(of device: String, isAvailable: Bool) throws(StepRefusal) {
    let number = try number(device)
    guard isAvailable else {
      let error = CloudError(.accountTemporarilyUnavailable, "the account waits for its password")
      return stand(.account(device), Fault(.refuse(error), on: FaultScope(deviceID: device), name: "account"))
    }
    guard end(.account(device)) else { throw StepRefusal("it is available") }
    world.signIn(number, world.devices[number].account)
  }

  private mutating func expireTokens(_ kind: TokenKind, of device: String?) throws(StepRefusal) {
    let devices = try device.map { (name) throws(StepRefusal) in [try number(name)] } ?? Array(world.devices.indices)
    for device in devices {
      world.tokenLedger?.expire(device) { feed in
        switch kind {
        case .all: true
        case .database: feed == .database
        case .zone: feed != .database
        }
      }
    }
  }

  // MARK: The administrator

  /// The zone of that name; the app's own where nil.
  func zone(_ name: String?) throws(StepRefusal) -> ZoneID {
    if let name { return ZoneID(zoneName: Name(name)) }
    guard let zone = app.zones.first else { throw StepRefusal("the app has no zone; name one") }
    return zone
  }

  private func account(of holder: Holder) throws(StepRefusal) -> Name {
    switch holder {
    case .device(let device): return try account(of: device)
    case .account(let name): return Name(name)
    }
  }

  private func account(of device: String) throws(StepRefusal) -> Name {
    guard let account = world.devices[try number(device)].account else {
      throw StepRefusal("nobody is signed in on \(device)")
    }
    return account
  }

  private func demandCloud() throws(StepRefusal) {
    guard world.cloud.isRunning else { throw StepRefusal("the cloud does not run") }
  }

  mutating func administer(_ deed: Administration, of holder: Holder) throws(StepRefusal) {
    try administer(deed, as: try account(of: holder))
  }

  mutating func administer(_ deed: Administration, as account: Name) throws(StepRefusal) {
    try demandCloud()
    try check(world.play(deed, as: account))
  }

  private mutating func ask(_ request: CloudRequest, as holder: Holder) throws(StepRefusal) {
    let account = try account(of: holder)
    try demandCloud()
    try check(world.play(request, as: account))
  }

  private func check(_ response: CloudResponse) throws(StepRefusal) {
    switch response {
    case .failure(let error): throw StepRefusal("the cloud refuses: \(error.code.rawValue), \(error.reason)")
    case .zones(let results):
      for case .failed(_, let error) in results { throw StepRefusal("the cloud refuses: \(error.reason)") }
    case .subscriptions(let results):
      for case .failed(_, let error) in results { throw StepRefusal("the cloud refuses: \(error.reason)") }
    case .records, .atomicFailure, .databaseChanges, .zoneChanges, .pushToken: break
    }
  }

  private func subscriptionID() throws(StepRefusal) -> String {
    guard let id = app.configuration.subscriptionID else { throw StepRefusal("the app has no subscription") }
    return id
  }

  private mutating func doubleSubscription(of device: String) throws(StepRefusal) {
    let (account, id) = (try account(of: device), try subscriptionID())
    try demandCloud()
    guard var subscription = world.cloudSubscriptions(of: account).first(where: { $0.subscriptionID == id }) else {
      throw StepRefusal("\(account) has no subscription yet")
    }
    subscription.subscriptionID += "-again"
    try check(world.ask(.modifySubscriptions([.create(subscription)]), as: account))
  }
}
