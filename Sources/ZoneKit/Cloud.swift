import ZoneKitRecords
import ZoneKitSimulator

/// The cloud of a world and its push service: a handle, as a device's is.
///
/// Where an account can be named, the world's own is meant unless another one is.
public struct Cloud {
  /// The world that it belongs to.
  public let world: World

  // MARK: Its life

  /// Whether the cloud's process is there.
  public var isRunning: Bool { world.simulation.cloud.isRunning }

  /// The cloud's process dies, and what it had not committed is lost. It starts again after that time, or by `start`.
  public func kill(restartAfter pause: Duration? = nil) {
    world.simulation.killCloud()
    if let pause { world.simulation.startCloud(after: pause.milliseconds) }
  }

  /// The cloud's process will die at that point, counted from now on. It stays dead until it is started.
  public func kill(at point: KillPoint) { world.simulation.crashCloud(at: point.crash) }

  /// Starts the cloud's process where it is dead.
  public func start() { world.simulation.startCloud() }

  // MARK: Faults

  /// The cloud answers the next requests of that kind with an error, and does nothing of what they ask for; nil for all
  /// from now on. Where a device is named, only its requests are meant.
  public func answer(
    _ operation: CloudOperation = .any, with code: CloudErrorCode, retryAfter: Duration? = nil, next count: Int? = 1,
    from device: Device? = nil
  ) {
    let error = CloudError(code, "asked for by the test", retryAfterMilliseconds: retryAfter?.milliseconds)
    add(.refuse(error), operation, count, device, name: code.rawValue)
  }

  /// The cloud refuses items of the next requests of that kind, such as single saves of a batch, and does the others;
  /// nil for all requests from now on. All items are meant unless records are named.
  public func refuseItems(
    of operation: CloudOperation = .saveRecords, with code: CloudErrorCode, records: [Name]? = nil,
    next count: Int? = nil, from device: Device? = nil
  ) {
    let error = CloudError(code, "asked for by the test")
    add(.refuseItems(error), operation, count, device, records: records, name: code.rawValue)
  }

  /// The next requests of that kind never arrive.
  public func loseRequest(_ operation: CloudOperation = .any, next count: Int? = 1, from device: Device? = nil) {
    add(.loseRequest, operation, count, device, name: "lost request")
  }

  /// The next requests of that kind are carried out, and their answers never arrive.
  public func loseAnswer(_ operation: CloudOperation = .any, next count: Int? = 1, from device: Device? = nil) {
    add(.loseAnswer, operation, count, device, name: "lost answer")
  }

  /// The answers to the next requests of that kind leave so much later.
  public func delayAnswer(
    _ operation: CloudOperation = .any, by delay: Duration, next count: Int? = 1, from device: Device? = nil
  ) {
    add(.delayAnswer(milliseconds: delay.milliseconds), operation, count, device, name: "late answer")
  }

  /// The next requests of that kind arrive twice, as through a proxy that tries again.
  public func repeatRequest(_ operation: CloudOperation = .any, next count: Int? = 1, from device: Device? = nil) {
    add(.repeatRequest, operation, count, device, name: "repeated request")
  }

  /// Changes are seen by those who fetch only so long after they were made: a push can come before its change.
  public func showChangesLate(by delay: Duration, next count: Int? = nil) {
    add(.staleFeed(milliseconds: delay.milliseconds), .any, count, nil, name: "visible late")
  }

  /// The account's storage is full: saves are refused with `quotaExceeded`, until `endFaults`.
  public func fillUp() { refuseItems(with: .quotaExceeded) }

  /// The faults above are over.
  public func endFaults() { world.simulation.endCloudFaults() }

  private func add(
    _ action: FaultAction, _ operation: CloudOperation, _ count: Int?, _ device: Device?, records: [Name]? = nil,
    name: String
  ) {
    var scope = FaultScope()
    scope.kinds = operation.kinds
    scope.recordNames = records
    scope.deviceID = device?.name
    world.simulation.plant(Fault(action, on: scope, name: name, times: count))
  }

  // MARK: Tokens, zones and subscriptions

  /// All change tokens expire, those of the database and those of the app's zones.
  public func expireTokens(of account: Name? = nil) {
    administer(.expireDatabaseTokens, account)
    for zone in world.app.zones { administer(.expireZoneTokens(zone), account) }
  }

  /// Another client deletes a zone of the app, the first one unless one is named.
  public func deleteZone(_ zone: ZoneID? = nil, of account: Name? = nil) {
    demandRunning()
    let account = account ?? world.account
    let request = CloudRequest.modifyZones([.delete(zone ?? world.app.zones[0])])
    world.simulation.note(.cloud, .step, "\(account): delete zone")
    world.simulation.play(request, as: account)
  }

  /// The user removes the app's data of a zone in the system's settings.
  public func purgeZone(_ zone: ZoneID? = nil, of account: Name? = nil) {
    administer(.purgeZone(zone ?? world.app.zones[0]), account)
  }

  /// The keys to a zone's data are lost: it is there, and empty.
  public func resetEncryptedData(in zone: ZoneID? = nil, of account: Name? = nil) {
    administer(.resetEncryptedData(zone ?? world.app.zones[0]), account)
  }

  /// All records of a zone are deleted, one by one.
  public func eraseRecords(in zone: ZoneID? = nil, of account: Name? = nil) {
    administer(.eraseRecords(zone ?? world.app.zones[0]), account)
  }

  /// The app's subscription vanishes.
  public func loseSubscription(of account: Name? = nil) { administer(.dropSubscription(subscriptionID), account) }

  /// The app's subscription stays, and its pushes wake nobody any more.
  public func muteSubscription(of account: Name? = nil) { administer(.muteSubscription(subscriptionID), account) }

  private var subscriptionID: String { world.app.configuration.subscriptionID ?? "" }

  private func administer(_ deed: Administration, _ account: Name?) {
    demandRunning()
    let account = account ?? world.account
    world.simulation.note(.cloud, .step, "\(account): \(deed)")
    world.simulation.play(deed, as: account)
  }

  private func demandRunning() {
    precondition(isRunning, "a cloud that does not run cannot be changed: start it first")
  }

  // MARK: Records

  /// The fields of a record as the cloud holds it, in the app's first zone unless one is named; nil where it holds none.
  public func record(_ name: Name, in zone: ZoneID? = nil, of account: Name? = nil) -> Fields? {
    let zone = zone ?? world.app.zones[0]
    let cloud = CloudReading(world.simulation, account: account ?? world.account)
    return cloud.zone(zone)[RecordID(recordName: name, zoneID: zone)].content?.decoded
  }

  /// The fields of all records of a zone as the cloud holds them, the app's first zone unless one is named.
  public func records(in zone: ZoneID? = nil, of account: Name? = nil) -> [RecordID: Fields] {
    CloudReading(world.simulation, account: account ?? world.account).zone(zone ?? world.app.zones[0])
      .contents.mapValues(\.decoded)
  }
}
