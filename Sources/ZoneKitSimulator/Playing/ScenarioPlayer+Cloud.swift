import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitSync

/// Performs the steps that act on the cloud.
extension ScenarioPlayer {
  mutating func perform(_ step: CloudStep) throws(StepRefusal) { try perform(step.effect(in: self)) }

  mutating func perform(_ step: ZoneStep) throws(StepRefusal) { try perform(step.effect(in: self)) }

  private mutating func perform(_ effect: CloudStepEffect) throws(StepRefusal) {
    switch effect {
    case .add(let fault): world.cloud.process.faults.add(fault.fitted(to: app))
    case .replace(let fault): replace(fault)
    case .remove(let name, let refusal):
      guard world.cloud.process.faults.remove(named: name) else { throw StepRefusal(refusal) }
    case .removeAll: world.cloud.process.faults.removeAll()
    case .administer(let action, let account): try administer(action, as: account)
    case .ask(let request, let account):
      try demandCloud()
      try check(world.play(request, as: account))
    case .doubleSubscription(let id, let account): try doubleSubscription(id, of: account)
    case .expireTokens(let kind, let device): try expireTokens(kind, of: device)
    case .fillDisk(let disk, let isFull): world.setCloudDisk(disk, isFull: isFull)
    case .breakDisk(let isBroken): world.setCloudDisk(isBroken: isBroken)
    }
  }

  private mutating func replace(_ fault: Fault) {
    world.cloud.process.faults.remove(named: fault.name)
    world.cloud.process.faults.add(fault.fitted(to: app))
  }

  mutating func setAccount(of device: String, isAvailable: Bool) throws(StepRefusal) {
    let number = try existing(device)
    let name = "account of \(device)"
    guard isAvailable else {
      let error = CloudError(.accountTemporarilyUnavailable, "the account waits for its password")
      return replace(Fault(.refuse(error), on: FaultScope(deviceID: device), name: name))
    }
    guard world.cloud.process.faults.remove(named: name) else { throw StepRefusal("it is available") }
    world.signIn(number, world.devices[number].account)
  }

  private mutating func expireTokens(_ kind: TokenKind, of device: String?) throws(StepRefusal) {
    let devices = try device.map { (name) throws(StepRefusal) in [try existing(name)] } ?? Array(world.devices.indices)
    for device in devices {
      world.tokenHistory?.expire(device) { feed in
        switch kind {
        case .all: true
        case .database: feed == .database
        case .zone: feed != .database
        }
      }
    }
  }

  // MARK: The administrator

  private func demandCloud() throws(StepRefusal) {
    guard world.cloud.isRunning else { throw StepRefusal("the cloud does not run") }
  }

  mutating func administer(_ action: Administration, as account: Name) throws(StepRefusal) {
    try demandCloud()
    try check(world.play(action, as: account))
  }

  private func check(_ response: CloudResponse) throws(StepRefusal) {
    switch response {
    case .failure(let error): throw StepRefusal("the cloud refuses: \(error.code.rawValue), \(error.reason)")
    case .zones(let results):
      for case .failed(_, let error) in results { throw StepRefusal("the cloud refuses: \(error.reason)") }
    case .subscriptions(let results):
      for case .failed(_, let error) in results { throw StepRefusal("the cloud refuses: \(error.reason)") }
    case .records, .atomicFailure, .queries, .uploads, .assets, .databaseChanges, .zoneChanges, .pushToken, .users,
      .shares:
      break
    }
  }

  private mutating func doubleSubscription(_ id: String, of account: Name) throws(StepRefusal) {
    try demandCloud()
    guard var subscription = world.cloudSubscriptions(of: account).first(where: { $0.subscriptionID == id }) else {
      throw StepRefusal("\(account) has no subscription yet")
    }
    subscription.subscriptionID += "-again"
    try check(world.ask(.modifySubscriptions([.create(subscription)]), as: account))
  }
}

extension ScenarioPlayer: CloudStepContext {
  /// The ID of a record that a step names.
  package func id(of record: RecordReference) throws(StepRefusal) -> RecordID { try observer.record(record) }

  /// A simulated cloud identifies a device by its name in the scenario.
  package func deviceID(of device: String) throws(StepRefusal) -> String { world.devices[try existing(device)].name }

  /// The account of that name. A service of tables draws the identifier of an account that signs up.
  func account(named name: String) -> Name {
    let app = app(ofAccount: name)
    guard app.hasTables, let known = world.cloud.account(ofEmail: ScenarioAccount.email(of: name)) else {
      return app.account(named: name)
    }
    return Name(known.text)
  }

  /// The account that a step names.
  package func account(of holder: Holder) throws(StepRefusal) -> Name {
    switch holder {
    case .account(let name): return account(named: name)
    case .device(let device):
      guard let account = world.devices[try existing(device)].account else {
        throw StepRefusal("nobody is signed in on \(device)")
      }
      return account
    }
  }

  /// The ID of a zone; of the app's zone if the name is nil.
  package func zone(_ name: String?) throws(StepRefusal) -> ZoneID {
    if let name { return ZoneID(zoneName: Name(name)) }
    guard let zone = app.zones.first else { throw StepRefusal("the app has no zone; name one") }
    return zone
  }

  /// The ID of the app's subscription.
  package func subscriptionID() throws(StepRefusal) -> String {
    guard let id = app.configuration.pushes.subscriptionID else { throw StepRefusal("the app has no subscription") }
    return id
  }

  /// The true time of the simulation.
  package var wall: WallTime { world.wall }
}
