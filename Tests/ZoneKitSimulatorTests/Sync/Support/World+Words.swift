import ZoneKitMemoryStores
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync
import ZoneKitCloud

/// The simulator's world in the words of these tests: devices A, B and C of the account `nanny`, and their cloud.
extension World {
  /// A world whose devices have, unless told otherwise, started and come to rest.
  init(
    devices count: Int, seed: UInt64 = 1, configuration: CoordinatorConfiguration = .items, limits: Limits = Limits(),
    launches: Bool = true, repairs: @escaping @Sendable (AppView) -> [RecordEdit] = { _ in [] }
  ) throws {
    var options = Options()
    options.seed = seed
    options.limits = limits
    self.init(options)
    worldLog = WorldLog()
    var app = ItemsApp.app(repairs: repairs)
    app.configuration = configuration
    for index in 0..<count {
      try addDevice(named: ["A", "B", "C"][index], app: app, account: "nanny")
      if launches { start(index) }
    }
    if launches { settle() }
  }

  // MARK: What happened

  /// What the devices sent, in order.
  var requests: [WorldLog.Request] { worldLog?.requests ?? [] }

  /// What a device told.
  func facts(of device: Int) -> [DeviceFact] { worldLog?.facts[device] ?? [] }

  /// The records whose changes the app on a device was told of.
  func shown(on device: Int) -> [RecordID] { worldLog?.shown[device] ?? [] }

  // MARK: Devices

  /// Ten minutes, which is more than any back-off and less than the daily fallback.
  mutating func settle() { wait(600_000) }

  mutating func edit(_ device: Int, _ edits: RecordEdit...) throws(StoreError) { try edit(device, edits) }

  mutating func wish(_ device: Int, _ reason: SyncReason) {
    perform(device) { $0.requestSyncIfNeeded(reason: reason, at: $1, using: &$2) }
  }

  mutating func push(_ device: Int, _ push: PushNotification) { deliver(push, to: device) }

  /// The process dies and starts again.
  mutating func crash(_ device: Int) {
    kill(device)
    start(device)
  }

  /// The process dies and starts again over that disk.
  mutating func restart(_ device: Int, over disk: MemoryDeviceStore) {
    kill(device)
    restore(disk, to: device)
    start(device)
  }

  // MARK: Links and the cloud

  /// Everything takes that long, in milliseconds.
  mutating func setDelay(_ delay: ClosedRange<Int64>) {
    for device in links.indices {
      links[device].up.delay = delay
      links[device].down.delay = delay
      links[device].push.delay = delay
    }
  }

  /// Pushes get lost from now on.
  mutating func losePushes() {
    for device in devices.indices { pushFaults[device].add(.drop, .every) }
  }

  /// The cloud does that to requests of that kind, and loses answers in silence where it loses them.
  mutating func fault(
    _ action: FaultAction, on scope: FaultScope = FaultScope(), after: Int = 0, times: Int? = nil
  ) {
    for device in links.indices { links[device].toldLosses = 0 }
    plant(Fault(action, on: scope, after: after, times: times))
  }

  /// The cloud refuses requests of that kind.
  mutating func refuse(_ code: CloudErrorCode, on scope: FaultScope = FaultScope(), times: Int? = nil) {
    fault(.refuse(CloudError(code, "refused")), on: scope, times: times)
  }

  /// The cloud refuses the items that are meant.
  mutating func refuseItems(_ code: CloudErrorCode, on scope: FaultScope, after: Int = 0, times: Int? = nil) {
    fault(.refuseItems(CloudError(code, "refused")), on: scope, after: after, times: times)
  }

  /// The cloud does as it should again.
  mutating func endFaults() { endCloudFaults() }

  /// Asks the cloud as somebody who is none of the devices.
  @discardableResult
  mutating func ask(_ request: CloudRequest) -> CloudResponse { ask(request, as: "nanny") }

  mutating func administer(_ deed: Administration) { administer(deed, as: "nanny") }

  /// What the cloud holds of a zone, ascending by name; empty where there is no such zone.
  mutating func held(_ zoneID: ZoneID) -> [Record] { held(zoneID, of: "nanny") }
}
