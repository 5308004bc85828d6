import NannyAndMe
import Records
import Simulator
import SyncCoordinator
import ZoneServer

/// Two devices of one account with their coordinators, and their cloud. A request is answered at once; a push reaches
/// every other device that is online at once.
struct Family {
  /// One device.
  struct Device {
    var coordinator: SyncCoordinator<MemoryDeviceStore>
    var app = NannyApp(user: "nanny")
    var isOnline = true

    /// What the device holds.
    var store: MemoryDeviceStore { coordinator.store }
  }

  /// What is still to be done for a device.
  private enum Work {
    case effect(Effect)
    case push(PushNotification)
  }

  private(set) var devices: [Device]
  /// How many requests the devices sent.
  private(set) var requestCount = 0
  private(set) var now = Moment(wall: morning, monotonic: MonotonicTime(milliseconds: 0))
  private var cloud = ZoneServer(store: MemoryZoneStore())
  private var work: [(device: Int, Work)] = []
  private var generator = SplitMix64(seed: 1)
  private let database = DatabaseID(
    container: NannyZone.container, environment: "development", user: "nanny", scope: .private)

  /// Two devices that have launched and are in agreement with an empty cloud.
  init() throws {
    devices = try (0..<2).map { _ in
      Device(coordinator: try SyncCoordinator(store: MemoryDeviceStore(), configuration: .nanny))
    }
    for index in devices.indices {
      add(try devices[index].coordinator.launch(account: "nanny", at: now, using: &generator), to: index)
    }
    try settle()
  }

  /// Does what a command asks for on that device.
  mutating func run(_ line: String, on index: Int) throws {
    let command = try NannyCommand(parsing: line)
    try save(devices[index].app.perform(command, now: now.wall, using: &generator).edits, on: index)
  }

  /// Imports a share file on that device, and gives the report.
  @discardableResult
  mutating func importing(_ text: String, on index: Int) throws -> ImportReport {
    let plan = try ShareImport(Array(text.utf8), into: devices[index].app, now: now.wall, clock: StampClock())
    try save(plan.edits, on: index)
    return plan.report
  }

  /// What the device exports of its current profile.
  func exported(on index: Int) throws -> String {
    String(decoding: try ShareExport(of: devices[index].app, at: morning).text, as: UTF8.self)
  }

  /// Takes the device's link away, or gives it back.
  mutating func setOnline(_ isOnline: Bool, _ index: Int) throws {
    devices[index].isOnline = isOnline
    add(devices[index].coordinator.linkChanged(isOnline: isOnline, at: now, using: &generator), to: index)
    try drain()
  }

  /// Lets half a minute pass, which is more than any debounce and less than the daily fallback.
  mutating func settle() throws { try wait(minutes: 0.5) }

  /// Lets time pass, and the devices do what is due.
  mutating func wait(minutes: Double) throws {
    let end = now.monotonic.advanced(byMilliseconds: Int64(minutes * 60_000))
    try drain()
    while let next = devices.compactMap(\.coordinator.nextDeadline).min(), next <= end {
      advance(to: max(next, now.monotonic))
      for index in devices.indices { add(devices[index].coordinator.tick(at: now, using: &generator), to: index) }
      try drain()
    }
    advance(to: end)
  }

  private mutating func advance(to time: MonotonicTime) {
    now.wall = now.wall.advanced(byMilliseconds: time.milliseconds - now.monotonic.milliseconds)
    now.monotonic = time
  }

  private mutating func save(_ edits: [RecordEdit], on index: Int) throws {
    guard !edits.isEmpty else { return }
    add(try devices[index].coordinator.edit(edits, at: now, using: &generator), to: index)
    try devices[index].app.refresh(edits.map(\.recordID), from: devices[index].store)
  }

  private mutating func add(_ effects: [Effect], to index: Int) {
    work += effects.map { (index, .effect($0)) }
  }

  /// Does all there is to do without time passing.
  private mutating func drain() throws {
    while !work.isEmpty {
      let (index, next) = work.removeFirst()
      switch next {
      case .effect(.send(let id, let request)): answer(id, request, of: index)
      case .effect(.remoteChange(let changed)):
        try devices[index].app.refresh(changed, from: devices[index].store)
        try save(devices[index].app.repairs.map(\.edit), on: index)
      case .effect(.fact): break
      case .push(let push):
        add(devices[index].coordinator.receivedPush(push, at: now, using: &generator), to: index)
      }
    }
  }

  private mutating func answer(_ id: RequestID, _ request: CloudRequest, of index: Int) {
    requestCount += 1
    let caller = Caller(user: "nanny", deviceID: devices[index].coordinator.deviceID)
    cloud.receive(
      request, ticket: Ticket(requestCount), in: database, from: caller, at: now.wall, using: &generator)
    for effect in cloud.endTurn() {
      switch effect {
      case .answer(_, let response):
        add(
          devices[index].coordinator.received(id, .success(response), at: now, using: &generator), to: index)
      case .notify(let notice): push(notice)
      case .registered, .unregistered, .fact: break
      }
    }
  }

  private mutating func push(_ notice: Notice) {
    for (index, device) in devices.enumerated()
    where device.isOnline && device.coordinator.deviceID != notice.originDeviceID {
      for subscription in notice.subscriptions {
        var push = PushNotification(subject: .database, notificationID: notice.notificationID)
        push.subscriptionID = subscription.subscriptionID
        push.zoneID = notice.zoneID
        work.append((index, .push(push)))
      }
    }
  }
}
