import Records
import SyncCoordinator
import ZoneServer

/// What the steps about the cloud do to the world.
extension ScenarioPlayer {
  mutating func perform(_ step: CloudStep) throws(StepRefusal) {
    switch step {
    case .answer(let count, let operation, let device, let code, let wait):
      let error = CloudError(code, "as the story says", retryAfterMilliseconds: wait?.milliseconds)
      try add(.refuse(error), count, operation.kinds, of: device)
    case .loseAnswer(let count, let operation, let device): try add(.loseAnswer, count, operation.kinds, of: device)
    case .loseRequest(let count, let operation, let device): try add(.loseRequest, count, operation.kinds, of: device)
    case .delayAnswer(let count, let operation, let device, let span):
      try add(.delayAnswer(milliseconds: span.milliseconds), count, operation.kinds, of: device)
    case .repeatRequest(let count, let operation, let device):
      try add(.repeatRequest, count, operation.kinds, of: device)
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
    case .stuckToken(let count, let device): try add(.stuckToken, count, CloudOperation.fetch.kinds, of: device)
    case .omit(let record, let count, let device):
      try add(.omitRecords, count, [.fetchZoneChanges], of: device, records: [try witness.record(record).recordName])
    case .doubleRecords(let count, let device): try add(.doubleRecords, count, [.fetchZoneChanges], of: device)
    case .listZone(let name): world.cloud.faults.add(Fault(.listZone(Name(name)), name: step.text))
    case .expireTokens(let kind, let device): try expireTokens(kind, of: device)
    case .loseSubscription(let device): try administer(.dropSubscription(try subscriptionID()), of: device)
    case .muteSubscription(let device): try administer(.muteSubscription(try subscriptionID()), of: device)
    case .doubleSubscription(let device): try doubleSubscription(of: device)
    case .behave:
      world.cloud.faults.removeAll()
      standing = [:]
    }
  }

  mutating func perform(_ step: ZoneStep) throws(StepRefusal) {
    switch step {
    case .delete(let name, let device):
      let account = try account(of: device)
      try demandCloud()
      world.inspector.lostZones(of: account)
      try check(world.ask(.modifyZones([.delete(try zone(name))]), as: account))
    case .purge(let name, let device): try administer(.purgeZone(try zone(name)), of: device)
    case .resetKeys(let name, let device): try administer(.resetEncryptedData(try zone(name)), of: device)
    case .lose(let name, let device):
      try demandCloud()
      world.loseZone(try zone(name), of: try account(of: device))
    case .forgetDeletions(let name, let device):
      let time = world.wall.advanced(byMilliseconds: 1)
      try administer(.purgeTombstones(try zone(name), before: time), of: device)
    }
  }

  // MARK: Faults

  private mutating func add(
    _ action: FaultAction, _ count: FaultCount, _ kinds: [RequestKind]?, of device: String?, records: [Name]? = nil
  ) throws(StepRefusal) {
    if let device { _ = try number(device) }
    var scope = FaultScope(deviceID: device, recordNames: records)
    scope.kinds = kinds
    world.cloud.faults.add(Fault(action, on: scope, name: action.words, times: count.limit))
  }

  private mutating func refuse(_ id: RecordID, _ code: CloudErrorCode) throws(StepRefusal) {
    let scope = FaultScope(.saveRecords, zoneName: id.zoneID.zoneName, recordNames: [id.recordName])
    let error = CloudError(code, "as the story says")
    stand(.refusal(id), Fault(.refuseItems(error), on: scope, name: "refuse"))
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

  private func account(of device: String) throws(StepRefusal) -> Name {
    guard let account = world.devices[try number(device)].account else {
      throw StepRefusal("nobody is signed in on \(device)")
    }
    return account
  }

  private func demandCloud() throws(StepRefusal) {
    guard world.cloud.isRunning else { throw StepRefusal("the cloud does not run") }
  }

  mutating func administer(_ deed: Administration, of device: String) throws(StepRefusal) {
    try administer(deed, as: try account(of: device))
  }

  mutating func administer(_ deed: Administration, as account: Name) throws(StepRefusal) {
    try demandCloud()
    if deed.takesRecordsAway { world.inspector.lostZones(of: account) }
    try check(world.administer(deed, as: account))
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

extension FaultAction {
  /// What it does, in a few words.
  fileprivate var words: String {
    switch self {
    case .refuse(let error), .refuseItems(let error): error.code.rawValue
    case .loseRequest: "request lost"
    case .loseAnswer: "answer lost"
    case .delayAnswer: "answer late"
    case .repeatRequest: "done twice"
    case .staleFeed: "shown late"
    case .stuckToken: "token repeated"
    case .listZone: "zone listed"
    case .omitRecords: "record left out"
    case .doubleRecords: "records twice"
    case .forgetSubscriptions: "subscription lost"
    case .muteSubscriptions: "subscription muted"
    }
  }
}
