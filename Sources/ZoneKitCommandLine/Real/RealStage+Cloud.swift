import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitWire
import ZoneKitService
import ZoneKitSync

/// What can be done to the cloud.
extension RealStage {
  /// Asks the cloud in an account's name and waits for the answer. Throws what the cloud answers as an error.
  @discardableResult
  func ask(_ request: CloudRequest, as account: Name) throws(ExitFailure) -> CloudResponse {
    var answer: CloudResponse?
    console.ask(request, as: account) { [unowned self] in
      answer = $0
      somethingHappened()
    }
    try untilAnswered("the server answers") { answer != nil }
    switch answer {
    case .failure(let error)?: throw .unavailable("the server refused: \(error.reason)")
    case let answer?: return answer
    case nil: throw .unavailable("the server did not answer")
    }
  }

  /// Sends a request of the emulator's own and waits for the answer. Throws where the server refuses it.
  @discardableResult
  func send(_ method: String, _ path: String, _ body: JSON? = nil) throws(ExitFailure) -> JSON {
    var result: Result<(status: Int, answer: JSON), ServiceError>?
    console.send(method, path, body) { [unowned self] in
      result = $0
      somethingHappened()
    }
    try untilAnswered("the server answers \(method) \(path)") { result != nil }
    switch result {
    case .success(let (status, answer))? where (200..<300).contains(status): return answer
    case .success(let (status, answer))?:
      // What the server does not take was asked for by the step.
      let code: Int32 = (400..<500).contains(status) ? 2 : 3
      throw ExitFailure(
        code: code,
        message: "the server answered \(method) \(path) with \(status): \(answer["reason"]?.string ?? "no reason")")
    case .failure(let error)?: throw .unavailable("\(error)")
    case nil: throw .unavailable("the server did not answer")
    }
  }

  /// Does what only an administrator can do to the cloud of an account. Throws where the server refuses it.
  func administer(_ deed: Administration, of account: Name) throws(ExitFailure) {
    let database = DatabaseID(
      container: NannyZone.container, environment: "development", user: account, scope: .private)
    let request = AdministrationRequest(deed, in: database, from: Caller(user: account))
    try send("POST", "/zonekit/administration", request.json)
  }

  /// Saves another subscription of the same content as the one of that ID, under another ID.
  func doubleSubscription(_ id: String, of account: Name) throws(ExitFailure) {
    guard var subscription = try subscriptions(of: account).first(where: { $0.subscriptionID == id }) else {
      throw .usage("\(account) has no subscription yet")
    }
    subscription.subscriptionID += "-again"
    try ask(.modifySubscriptions([.create(subscription)]), as: account)
  }

  /// The subscriptions of an account.
  func subscriptions(of account: Name) throws(ExitFailure) -> [Subscription] {
    guard case .subscriptions(let results) = try ask(.listSubscriptions, as: account) else { return [] }
    return results.compactMap { if case .subscription(let subscription) = $0 { subscription } else { nil } }
  }

  // MARK: Faults

  /// Lets the server do something wrong; what it was asked for before goes on.
  func addFault(_ fault: Fault) throws(ExitFailure) {
    try addFaults(FaultDocument.json(of: [PlannedFault(id: 1, fault: fault)])["faults"]?.array ?? [])
  }

  /// Lets the server do those wrong things too.
  func addFaults(_ added: [JSON]) throws(ExitFailure) {
    guard !added.isEmpty else { return }
    try setFaults(try faults() + added)
  }

  /// Takes back faults of that name; says whether there were any.
  func removeFaults(named name: String) throws(ExitFailure) -> Bool {
    let faults = try faults()
    let others = faults.filter { $0["name"]?.string != name }
    guard others.count < faults.count else { return false }
    try setFaults(others)
    return true
  }

  /// Takes all faults back.
  func clearFaults() throws(ExitFailure) {
    try send("DELETE", "/zonekit/faults")
    try setLimits()
  }

  /// Tells the server what it is to allow otherwise than it does by itself.
  func setLimits() throws(ExitFailure) {
    guard !limits.isEmpty else { return }
    try send("PUT", "/zonekit/faults", ["faults": .array(try faults()), "limits": .object(limits)])
  }

  private func setFaults(_ faults: [JSON]) throws(ExitFailure) {
    try send("PUT", "/zonekit/faults", ["faults": .array(faults)])
  }

  /// What is left of the plan: to set it counts from the beginning, so what was used up is taken off.
  func faults() throws(ExitFailure) -> [JSON] {
    (try send("GET", "/zonekit/faults")["faults"]?.array ?? []).compactMap { fault in
      var members = fault.object ?? []
      func lessen(_ key: String, by used: String) -> Int64? {
        guard let place = members.firstIndex(where: { $0.key == key }), let number = members[place].value.integer else {
          return nil
        }
        let rest = number - (fault[used]?.integer ?? 0)
        members[place] = JSON.Member(key, .integer(max(0, rest)))
        return rest
      }
      _ = lessen("after", by: "passed")
      if let rest = lessen("times", by: "hits"), rest <= 0 { return nil }
      return .object(members)
    }
  }

  /// What a device calls itself when it asks the cloud.
  func deviceID(of device: RealDevice) throws(ExitFailure) -> String {
    if let id = device.deviceIDs.last { return id }
    // A device that has never run is given its identity now, as at its first start.
    do throws(StoreError) {
      let stopped = try StoppedDevice(
        device.name, in: data, user: device.account.map { Name($0) },
        configuration: CoordinatorConfiguration(
          mergePolicy: NannyMergePolicy.policy(), stampField: ActionKeys.updatedAt))
      return stopped.coordinator.deviceID
    } catch {
      throw .unavailable("\(error)")
    }
  }

  // MARK: Pushes by hand

  /// Hands a payload with that `ck` part to a running device, as if the push service had sent it.
  func push(_ ck: JSON, to device: RealDevice) throws(ExitFailure) {
    do {
      let folder = try data.device(device.name)
      guard device.isRunning, let address = ControlClient.address(ofDeviceIn: folder) else {
        throw ExitFailure.usage("\(device.name) does not run")
      }
      _ = try ControlClient.ask(["aps": ["content-available": 1], "ck": ck], at: address)
    } catch {
      throw error as? ExitFailure ?? .unavailable("\(error)")
    }
  }

  /// A new notification ID.
  func newID() -> String {
    var generator = SystemRandomNumberGenerator()
    return RandomIdentifier.uuid(using: &generator)
  }
}
