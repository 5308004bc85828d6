import ZoneKitRecords

/// Keeps one device's store and the cloud in agreement: a machine that is handed what happens and says what to do.
///
/// It persists observations, never a list of work: what each record is here, what the cloud last held, how far the feeds
/// were read. What to send follows from them, so a crash at any line forgets nothing. At most one request is under way.
/// The cloud's data and the token that covers it are committed in one transition.
public struct SyncCoordinator<Store: DeviceStore> {
  /// Where the device keeps what it observed.
  public package(set) var store: Store
  /// What the app told the coordinator once.
  public let configuration: CoordinatorConfiguration

  /// The store's values and zone states; always equal to what was committed last.
  var memory: DeviceMemory
  var gate: SyncGate
  var backoff: Backoff
  var storm: StormDetector
  var activity = Activity.idle
  var isOnline = true
  /// Whether the app has said whose it is: what comes before that, such as a push that started the app, waits for it.
  var hasLaunched = false
  /// Why the cloud refuses the account; nil while it does not.
  var refusal: CloudError?
  /// What a launch or a new account makes necessary, until it succeeded.
  var duties = Duties()
  /// When the subscription was checked last, and whether the cloud held it; nil where it was not since the start.
  var lastCheck: (at: MonotonicTime, isVerified: Bool)?
  /// When the cloud committed this device's last save, by the cloud's clock, and when that was heard.
  var cloudTime: (cloud: WallTime, heardAt: MonotonicTime)?
  /// When every known zone was asked for last; nil where that was not since the start.
  var zonesCheckedAt: MonotonicTime?
  /// When the push service or the cloud last did not take the device's token; nil since it did.
  var tokenFailedAt: MonotonicTime?
  /// Since when pushes can reach the device, by its wall clock; nil while it is offline.
  var listeningSince: WallTime?
  /// The push that the next fetch is traced to.
  var lastPush: ReceivedPush?
  /// The latest modification by another device that the feeds showed since the start, by the cloud's clock.
  var newestSeen: [ZoneID: WallTime] = [:]
  /// What pushes announced and the feeds did not show yet.
  var awaited = AwaitedNews()
  /// Whether the last sync came to its end: else the cloud may have done what this device did not hear of.
  var hasFinished = false
  var fallbackDue: MonotonicTime?
  var lastRequest: UInt64 = 0

  /// What has to be done once, by the next sync that can.
  struct Duties: Hashable, Sendable {
    var registersToken = false
    var checksSubscription = false
  }

  /// A coordinator over what a store holds. Throws where the store cannot be read.
  public init(store: Store, configuration: CoordinatorConfiguration) throws(StoreError) {
    self.store = store
    self.configuration = configuration
    memory = try DeviceMemory(reading: store)
    gate = SyncGate(quiet: configuration.quiet, quietLimit: configuration.quietLimit)
    backoff = Backoff(first: configuration.backoffFirst, limit: configuration.backoffLimit)
    storm = StormDetector(limit: configuration.stormLimit, window: configuration.stormWindow)
  }

  /// The account whose data the store holds; nil before the first launch and while signed out.
  public var account: Name? { memory.account }

  /// How the device names itself in its requests; empty before the first launch.
  public var deviceID: String { memory.text(.deviceID) ?? "" }

  /// The device's registered address with the push service; nil as long as there is none.
  public var pushToken: String? { memory.text(.pushToken) }

  /// Records that the store holds and the user is not to see yet, ascending: they came before others that they lean on. Each
  /// is told as a remote change when those are there, or when the feed ended without them. An app that builds its view from
  /// the store leaves them out.
  public var parked: [RecordID] { memory.parking.records }

  /// Whether nothing is under way and nobody wants a sync now.
  public var isIdle: Bool {
    if case .idle = activity { !gate.isWaiting && !gate.isSyncing } else { false }
  }

  /// When `tick` has something to do next; nil where only an event can change anything.
  public var nextDeadline: MonotonicTime? {
    if case .waiting(_, let request) = activity { return request.deadline }
    guard canSync else { return nil }
    return [gate.deadline, fallbackDue].compactMap { $0 }.min()
  }

  var canSync: Bool { hasLaunched && isOnline && refusal == nil && memory.account != nil }

  /// The coordinator's view of a zone ID: its own user's zones are `defaultOwner`'s, however the cloud spells the owner.
  func own(_ zoneID: ZoneID) -> ZoneID {
    guard let account = memory.account, zoneID.ownerName == UserRecordName.of(user: account) else { return zoneID }
    return ZoneID(zoneName: zoneID.zoneName)
  }

  /// Keeps a draft. Where the store fails nothing has changed, as far as it can tell: a disk that dies after the write has
  /// kept everything, so what it holds is read again.
  mutating func commit(_ draft: DeviceDraft) throws(StoreError) {
    let transition = draft.transition
    guard !transition.isEmpty else { return }
    let token = pushToken
    defer { if token != nil, pushToken == nil { replaceToken() } }
    do {
      try store.commit(transition)
    } catch {
      if let kept = try? DeviceMemory(reading: store) {
        // What is parked cannot be told from the store alone once the record that it waits for is there.
        memory = [draft.memory, memory].first { $0.isStored(as: kept) } ?? kept
      }
      throw error
    }
    memory = draft.memory
  }

  func draft(at now: Moment) -> DeviceDraft { DeviceDraft(memory, now: now.wall) }

  /// Takes in when the cloud committed what this device wrote, as it has just heard.
  mutating func noteCloudTime(_ cloud: WallTime?, at now: Moment) {
    if let cloud { cloudTime = (cloud, now.monotonic) }
  }

  /// The time on the cloud's clock, as far as can be told, rather too early than too late: what was found of the clocks
  /// tells nothing once somebody sets this device's, but time passes alike on both.
  func cloudTime(at now: Moment) -> WallTime {
    let byWall = now.wall.advanced(byMilliseconds: memory.integer(.clockOffset) ?? 0)
    guard let (cloud, heardAt) = cloudTime else { return byWall }
    return min(byWall, cloud.advanced(byMilliseconds: now.monotonic.milliseconds - heardAt.milliseconds))
  }
}
