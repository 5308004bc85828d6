import ZoneKitRecords
import ZoneKitSimulator

/// A handle to the cloud of a `World` and its push service.
///
/// Methods with an `account` use the world's account by default.
public struct Cloud {
  /// The world of the cloud.
  public let world: World

  // MARK: Process

  /// Whether the cloud's process is running.
  public var isRunning: Bool { world.simulation.cloud.isRunning }

  /// Kills the cloud's process. What it has not committed is lost. It starts again after `pause`, or with `start`.
  public func kill(restartAfter pause: Duration? = nil) {
    world.simulation.killCloud()
    if let pause { world.simulation.startCloud(after: pause.milliseconds) }
  }

  /// Makes the cloud's process die at that point, counted from now on. It stays dead until it is started.
  public func kill(at point: KillPoint) { world.simulation.crashCloud(at: point.simulated) }

  /// Starts the cloud's process if it is dead.
  public func start() { world.simulation.startCloud() }

  // MARK: Faults

  /// Answers the next requests of that kind with an error, without carrying them out; all further ones if `count` is
  /// nil. If a device is given, only its requests are affected.
  public func answer(
    _ operation: CloudOperation = .any, with code: CloudErrorCode, retryAfter: Duration? = nil, next count: Int? = 1,
    from device: Device? = nil
  ) {
    let error = CloudError(code, "asked for by the test", retryAfterMilliseconds: retryAfter?.milliseconds)
    add(.refuse(error), operation, count, device, name: code.rawValue)
  }

  /// Refuses items of the next requests of that kind, such as single saves of a batch, and carries out the others; of
  /// all further requests if `count` is nil. If `records` is nil, all items are refused.
  public func refuseItems(
    of operation: CloudOperation = .saveRecords, with code: CloudErrorCode, records: [Name]? = nil,
    next count: Int? = nil, from device: Device? = nil
  ) {
    let error = CloudError(code, "asked for by the test")
    add(.refuseItems(error), operation, count, device, records: records, name: code.rawValue)
  }

  /// Loses the next requests of that kind before they reach the cloud.
  public func loseRequest(_ operation: CloudOperation = .any, next count: Int? = 1, from device: Device? = nil) {
    add(.loseRequest, operation, count, device, name: "lost request")
  }

  /// Carries out the next requests of that kind and loses their answers.
  public func loseAnswer(_ operation: CloudOperation = .any, next count: Int? = 1, from device: Device? = nil) {
    add(.loseAnswer, operation, count, device, name: "lost answer")
  }

  /// Delays the answers to the next requests of that kind.
  public func delayAnswer(
    _ operation: CloudOperation = .any, by delay: Duration, next count: Int? = 1, from device: Device? = nil
  ) {
    add(.delayAnswer(milliseconds: delay.milliseconds), operation, count, device, name: "late answer")
  }

  /// Makes the next requests of that kind arrive twice, as through a proxy that repeats them.
  public func repeatRequest(_ operation: CloudOperation = .any, next count: Int? = 1, from device: Device? = nil) {
    add(.repeatRequest, operation, count, device, name: "repeated request")
  }

  /// Makes fetches show changes only after that delay, so that a push can arrive before its change is visible.
  public func showChangesLate(by delay: Duration, next count: Int? = nil) {
    add(.staleFeed(milliseconds: delay.milliseconds), .any, count, nil, name: "visible late")
  }

  /// Fills the account's storage: saves fail with `quotaExceeded` until `endFaults`.
  public func fillUp() { refuseItems(with: .quotaExceeded) }

  /// Ends all faults of the methods above.
  public func endFaults() { world.simulation.endCloudFaults() }

  private func add(
    _ action: FaultAction, _ operation: CloudOperation, _ count: Int?, _ device: Device?, records: [Name]? = nil,
    name: String
  ) {
    var scope = FaultScope()
    scope.kinds = operation.kinds?.map { .cloud($0) }
    scope.recordNames = records
    scope.deviceID = device?.name
    world.simulation.plant(Fault(action, on: scope, name: name, times: count))
  }

  // MARK: Tokens, zones and subscriptions

  /// Expires all change tokens: those of the database and those of the app's zones.
  public func expireTokens(of account: Name? = nil) {
    administer(.expireDatabaseTokens, account)
    for zone in world.app.zones { administer(.expireZoneTokens(zone), account) }
  }

  /// Deletes a zone as another client would; the app's first zone by default.
  public func deleteZone(_ zone: ZoneID? = nil, of account: Name? = nil) {
    demandRunning()
    let account = account ?? world.account
    let request = CloudRequest.modifyZones([.delete(zone ?? world.app.zones[0])])
    world.simulation.note(.cloud, .step, "\(account): delete zone")
    world.simulation.play(request, as: account)
  }

  /// Removes the app's data of a zone, as the user does in the system's settings.
  public func purgeZone(_ zone: ZoneID? = nil, of account: Name? = nil) {
    administer(.purgeZone(zone ?? world.app.zones[0]), account)
  }

  /// Resets the keys of a zone's encrypted data: the zone is removed with its content.
  public func resetEncryptedData(in zone: ZoneID? = nil, of account: Name? = nil) {
    administer(.resetEncryptedData(zone ?? world.app.zones[0]), account)
  }

  /// Deletes all records of a zone, one by one.
  public func eraseRecords(in zone: ZoneID? = nil, of account: Name? = nil) {
    administer(.eraseRecords(zone ?? world.app.zones[0]), account)
  }

  /// Removes the app's subscription without notice.
  public func loseSubscription(of account: Name? = nil) { administer(.dropSubscription(subscriptionID), account) }

  /// Keeps the app's subscription and stops its pushes from waking apps.
  public func muteSubscription(of account: Name? = nil) { administer(.muteSubscription(subscriptionID), account) }

  private var subscriptionID: String { world.app.configuration.pushes.subscriptionID ?? "" }

  private func administer(_ action: Administration, _ account: Name?) {
    demandRunning()
    let account = account ?? world.account
    world.simulation.note(.cloud, .step, "\(account): \(action)")
    world.simulation.play(action, as: account)
  }

  private func demandRunning() {
    precondition(isRunning, "a cloud that does not run cannot be changed: start it first")
  }

  // MARK: Records

  /// The fields of a record in the cloud; nil if there is no such record. The zone is the app's first one by default.
  public func record(_ name: Name, in zone: ZoneID? = nil, of account: Name? = nil) -> Fields? {
    let zone = zone ?? world.app.zones[0]
    let cloud = CloudReading(world.simulation, account: account ?? world.account)
    return cloud.zone(zone)[RecordID(recordName: name, zoneID: zone)].content?.decoded
  }

  /// The fields of all records of a zone in the cloud; of the app's first zone by default.
  public func records(in zone: ZoneID? = nil, of account: Name? = nil) -> [RecordID: Fields] {
    CloudReading(world.simulation, account: account ?? world.account).zone(zone ?? world.app.zones[0])
      .contents.mapValues(\.decoded)
  }
}
