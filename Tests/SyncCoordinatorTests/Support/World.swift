import Records
import Simulator
import Testing
import ZoneServer

@testable import SyncCoordinator

/// Devices of one account and their cloud in virtual time, with a network that loses what its odds say.
struct World {
  /// One device; a crash leaves its store and nothing else.
  struct Device {
    var coordinator: SyncCoordinator<MemoryDeviceStore>
    var isOnline = true
    /// Its wall clock minus the cloud's, in milliseconds.
    var clockOffset: Int64 = 0
    /// Counts the starts: an answer to a request of an earlier life is lost.
    var life = 0
    var facts: [DeviceFact] = []
    var remoteChanges: [RecordID] = []

    var store: MemoryDeviceStore { coordinator.store }
  }

  /// In percent, and in milliseconds.
  struct Network {
    var lostRequests = 0
    var lostAnswers = 0
    var lostPushes = 0
    var doubledPushes = 0
    var delay: ClosedRange<Int64> = 1...50
  }

  /// A request that reached the network.
  struct SentRequest {
    var device: Int
    var at: MonotonicTime
    var request: CloudRequest
  }

  private enum Work {
    /// The caller is whom the device took itself for when it asked.
    case request(life: Int, Caller, RequestID, CloudRequest)
    case answer(life: Int, RequestID, Result<CloudResponse, CloudError>)
    case push(PushNotification)
  }

  private struct Event {
    var due: MonotonicTime
    var device: Int
    var work: Work
  }

  var devices: [Device] = []
  var cloud = ZoneServer(store: MemoryZoneStore())
  var network = Network()
  /// Whether pushes say when the change was committed, as those of the cloud do and those of others need not.
  var pushesCarryTimes = false
  /// Answers in the cloud's place where it gives one; nil lets the cloud answer.
  var interceptor: ((Int, CloudRequest) -> CloudResponse?)?
  /// Whether the answer to that request of that device is lost.
  var loses: ((Int, CloudRequest) -> Bool)?
  /// Whether each device writes a record anew whenever another one has.
  var rewritesOnChange = false
  private var rewrites = 0
  var now = Moment(wall: WallTime(milliseconds: 1_800_000_000_000), monotonic: MonotonicTime(milliseconds: 0))
  var generator: SplitMix64
  private(set) var requests: [SentRequest] = []
  private var events: [Event] = []
  private var ticket = 0
  let configuration: CoordinatorConfiguration

  init(
    devices count: Int, seed: UInt64 = 1, configuration: CoordinatorConfiguration = .items, launches: Bool = true
  ) throws {
    generator = SplitMix64(seed: seed)
    self.configuration = configuration
    for index in 0..<count {
      devices.append(
        Device(coordinator: try SyncCoordinator(store: MemoryDeviceStore(), configuration: configuration)))
      if launches { try launch(index) }
    }
    if launches { settle() }
  }

  // MARK: What devices do

  /// The time on a device.
  func now(on index: Int) -> Moment {
    Moment(wall: now.wall.advanced(byMilliseconds: devices[index].clockOffset), monotonic: now.monotonic)
  }

  mutating func launch(_ index: Int, account: Name? = "nanny") throws {
    do throws(StoreError) {
      tell(index, try devices[index].coordinator.launch(account: account, at: now(on: index), using: &generator))
    } catch {
      try crash(index)
    }
  }

  /// The process dies and starts again.
  mutating func crash(_ index: Int) throws {
    devices[index].life += 1
    let store = devices[index].store
    devices[index].coordinator = try SyncCoordinator(store: store, configuration: configuration)
    if !devices[index].isOnline {
      _ = devices[index].coordinator.linkChanged(isOnline: false, at: now(on: index), using: &generator)
    }
    try launch(index)
  }

  mutating func edit(_ index: Int, _ edits: RecordEdit...) throws(StoreError) { try edit(index, all: edits) }

  mutating func edit(_ index: Int, all edits: [RecordEdit]) throws(StoreError) {
    tell(index, try devices[index].coordinator.edit(edits, at: now(on: index), using: &generator))
  }

  mutating func setOnline(_ index: Int, _ isOnline: Bool) {
    devices[index].isOnline = isOnline
    tell(index, devices[index].coordinator.linkChanged(isOnline: isOnline, at: now(on: index), using: &generator))
  }

  mutating func wish(_ index: Int, _ reason: SyncReason) {
    tell(index, devices[index].coordinator.requestSyncIfNeeded(reason: reason, at: now(on: index), using: &generator))
  }

  mutating func push(_ index: Int, _ push: PushNotification) {
    tell(index, devices[index].coordinator.receivedPush(push, at: now(on: index), using: &generator))
  }

  /// Somebody else said hello with the device's token.
  mutating func tokenTaken(_ index: Int) {
    tell(index, devices[index].coordinator.pushTokenTaken(at: now(on: index), using: &generator))
  }

  /// The push service does not know the device's token any more.
  mutating func refuseToken(_ index: Int) {
    tell(index, devices[index].coordinator.pushTokenRefused(at: now(on: index), using: &generator))
  }

  /// The push service takes the device's hello.
  mutating func pushConnected(_ index: Int) {
    tell(index, devices[index].coordinator.pushConnected(at: now(on: index), using: &generator))
  }

  mutating func reset(_ index: Int, _ reset: StoreReset) throws(StoreError) {
    tell(index, try devices[index].coordinator.reset(reset, at: now(on: index), using: &generator))
  }

  mutating func switchAccount(_ index: Int, to account: Name?) throws(StoreError) {
    tell(index, try devices[index].coordinator.accountChanged(to: account, at: now(on: index), using: &generator))
  }

  /// Makes the device's next commits fail so.
  mutating func fail(_ index: Int, _ faults: [MemoryDeviceStore.Fault]) {
    devices[index].coordinator.store.faults = faults
  }

  // MARK: The cloud

  /// Asks the cloud as somebody who is none of the devices, and lets the pushes go.
  @discardableResult
  mutating func ask(_ request: CloudRequest, as deviceID: String = "somebody", user: Name = "nanny") -> CloudResponse {
    ask(request, as: Caller(user: user, deviceID: deviceID))
  }

  private mutating func ask(_ request: CloudRequest, as caller: Caller) -> CloudResponse {
    ticket += 1
    cloud.receive(
      request, ticket: Ticket(ticket), in: database(of: caller.user), from: caller, at: now.wall, using: &generator)
    return endTurn()
  }

  /// Does what only an administrator of the cloud can do, and lets the pushes go.
  mutating func administer(_ deed: Administration) {
    ticket += 1
    cloud.administer(
      deed, ticket: Ticket(ticket), in: database(of: "nanny"), from: Caller(user: "nanny"), at: now.wall,
      using: &generator)
    _ = endTurn()
  }

  private mutating func endTurn() -> CloudResponse {
    var response = CloudResponse.failure(CloudError(.internalError, "the cloud did not answer"))
    for effect in cloud.endTurn() {
      switch effect {
      case .answer(_, let answer): response = answer
      case .notify(let notice): spread(notice)
      case .registered, .unregistered, .fact: break
      }
    }
    return response
  }

  /// What the cloud holds of a zone, ascending by name; empty where there is no such zone.
  mutating func held(_ zoneID: ZoneID, user: Name = "nanny") -> [Record] {
    var held: [Record] = []
    var token: ChangeToken?
    while true {
      let response = ask(.fetchZoneChanges([ZoneChangesQuery(zoneID: zoneID, token: token)]), user: user)
      guard case .zoneChanges(let results) = response, case .changes(let page)? = results.first else { return [] }
      for case .saved(let record) in page.page.changes { held.append(record) }
      token = page.token
      guard page.moreComing else { return held.sorted { $0.recordName < $1.recordName } }
    }
  }

  private func database(of user: Name) -> DatabaseID {
    DatabaseID(container: "iCloud.a", environment: "development", user: user, scope: .private)
  }

  private mutating func spread(_ notice: Notice) {
    for index in devices.indices where devices[index].coordinator.deviceID != notice.originDeviceID {
      for subscription in notice.subscriptions {
        var push = PushNotification(subject: .database, notificationID: notice.notificationID)
        push.subscriptionID = subscription.subscriptionID
        push.zoneID = notice.zoneID
        if pushesCarryTimes { push.committedAt = notice.committedAt }
        push.userRecordName = UserRecordName.of(user: notice.database.user)
        guard !happens(network.lostPushes) else { continue }
        schedule(.push(push), on: index)
        if happens(network.doubledPushes) { schedule(.push(push), on: index) }
      }
    }
  }

  // MARK: Time

  /// Ten minutes, which is more than any back-off and less than the daily fallback.
  mutating func settle() { wait(600_000) }

  /// Lets that many milliseconds pass.
  mutating func wait(_ milliseconds: Int64) {
    let end = now.monotonic.advanced(byMilliseconds: milliseconds)
    while let next = nextTime, next <= end {
      advance(to: next)
      happen()
    }
    advance(to: end)
  }

  private var nextTime: MonotonicTime? {
    (events.map(\.due) + devices.compactMap(\.coordinator.nextDeadline)).min()
  }

  private mutating func advance(to time: MonotonicTime) {
    guard time > now.monotonic else { return }
    now.wall = now.wall.advanced(byMilliseconds: time.milliseconds - now.monotonic.milliseconds)
    now.monotonic = time
  }

  private mutating func happen() {
    if let index = events.firstIndex(where: { $0.due <= now.monotonic }) {
      let event = events.remove(at: index)
      take(event.work, of: event.device)
    } else {
      for index in devices.indices {
        tell(index, devices[index].coordinator.tick(at: now(on: index), using: &generator))
      }
    }
  }

  private mutating func take(_ work: Work, of index: Int) {
    switch work {
    case .request(let life, let caller, let id, let request):
      guard devices[index].isOnline else { return }
      let response =
        interceptor?(index, request)
        ?? ask(request, as: caller)
      if loses?(index, request) == true { return }
      if happens(network.lostAnswers) {
        let lost = CloudError(.serverResponseLost, "cut")
        if happens(50) { schedule(.answer(life: life, id, .failure(lost)), on: index) }
      } else {
        schedule(.answer(life: life, id, .success(response)), on: index)
      }
    case .answer(let life, let id, let answer):
      guard devices[index].isOnline, devices[index].life == life else { return }
      tell(index, devices[index].coordinator.received(id, answer, at: now(on: index), using: &generator))
    case .push(let push):
      guard devices[index].isOnline else { return }
      self.push(index, push)
    }
  }

  private mutating func tell(_ index: Int, _ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .send(let id, let request):
        requests.append(SentRequest(device: index, at: now.monotonic, request: request))
        let life = devices[index].life
        if happens(network.lostRequests) {
          schedule(.answer(life: life, id, .failure(CloudError(.networkFailure, "cut"))), on: index)
        } else {
          let caller = Caller(
            user: devices[index].coordinator.account ?? "nobody", deviceID: devices[index].coordinator.deviceID)
          schedule(.request(life: life, caller, id, request), on: index)
        }
      case .remoteChange(let records):
        devices[index].remoteChanges += records
        guard rewritesOnChange else { continue }
        for recordID in records {
          rewrites += 1
          try? edit(index, Items.save(recordID.recordName, ["a": "\(rewrites)"]))
        }
      case .fact(let fact): devices[index].facts.append(fact)
      }
    }
  }

  private mutating func schedule(_ work: Work, on index: Int) {
    let due = now.monotonic.advanced(byMilliseconds: Int64.random(in: network.delay, using: &generator))
    let place = events.firstIndex { $0.due > due } ?? events.count
    events.insert(Event(due: due, device: index, work: work), at: place)
  }

  private mutating func happens(_ percent: Int) -> Bool {
    percent > 0 && Int.random(in: 0..<100, using: &generator) < percent
  }
}
