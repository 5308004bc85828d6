import ZoneKitRecords
import ZoneKitSync
import ZoneKitCloud

/// What is remembered of one device, to notice what must not be.
struct DeviceWatch: Sendable {
  var isSyncing = false
  /// Whether the sync under way has asked the database's feed.
  private var hasAsked = false
  /// When requests were sent, the last minute's at least.
  var window: [MonotonicTime] = []
  /// Up to where the zones' feeds were read.
  private var tokens: [ZoneID: FeedPosition] = [:]
  private var tokenTexts: [ZoneID: ChangeToken] = [:]
  /// What the user sees: what was there when the app started, what it was told of since, and its own edits.
  private var view: [RecordID: RecordContent] = [:]
  /// The pushes that made the device fetch.
  private var pushes: Set<String> = []
  /// Until when the cloud asked to be left alone.
  private var floor: MonotonicTime?
  /// When the cloud asked for that, where the device's disk has noted it and its clock was not set since.
  private var floorNotedAt: MonotonicTime?
  /// When a sync that failed has to be tried again at the latest.
  private var retryDue: MonotonicTime?
  /// How many failures came in a row, at most.
  private var failures = 0
  /// How many failures came in a row for sure.
  private var sureFailures = 0
  /// What the device owes to pushes, users and edits.
  private var duty = SyncDuty()
  /// What of the last batch may be held back.
  private var blame = BatchBlame()
  /// What the last stamps should say.
  private var stamps = StampWatch()
  /// What the device has not read though it was told to.
  private var news = ZoneNews()

  // MARK: Beginnings

  /// A process starts: what the one before it held in memory is gone.
  mutating func starts() {
    isSyncing = false
    if floorNotedAt == nil { floor = nil }
    retryDue = nil
    failures = 0
    sureFailures = 0
    duty = SyncDuty()
    blame.starts()
    stamps = StampWatch()
  }

  /// The process has started: its view is made from the store.
  mutating func started(_ state: SimulatedDevice) {
    isSyncing = state.coordinator.isSyncing
    news.started(with: state.coordinator.databaseToken, account: state.coordinator.account)
    // A token that expired just before the end was dropped, and nobody was told any more.
    for zone in state.coordinator.zoneStates where zone.token == nil || zone.isInFullFetch { tokens[zone.zoneID] = nil }
    showAll(of: state)
  }

  /// The feeds may be read from further back: the device was reset, or got another disk.
  mutating func forgetTokens() {
    tokens = [:]
    tokenTexts = [:]
  }

  /// The device may have forgotten which pushes came: it has another disk, or its clock was set.
  mutating func forgetPushes() {
    pushes = []
    floorNotedAt = nil
  }

  /// A process starts anew, which knows only by its clock how long ago the cloud asked, and that may be fast.
  private mutating func launched(_ state: SimulatedDevice) {
    guard let asked = floor, let floorNotedAt, (try? state.store.values())?[.retryAfter] != nil else {
      floor = nil
      return
    }
    let span = asked.milliseconds - floorNotedAt.milliseconds
    floor = asked.advanced(byMilliseconds: -span / 20)
  }

  // MARK: Facts

  /// Takes in what a device tells of itself; returns what must not be.
  mutating func heard(
    _ fact: DeviceFact, from state: SimulatedDevice, at moment: Moment
  ) -> (Violation.Rule, String)? {
    let now = moment.monotonic
    if case .syncStarted = fact { hasAsked = false }
    let neglected = duty.heard(fact, of: state, hasAsked: hasAsked, at: now)
    let noted = note(fact, from: state, at: now)
    let unread = news.heard(fact, from: state, hasAsked: hasAsked)
    let unstamped = stamps.heard(fact, from: state, at: moment.wall)
    return noted ?? neglected ?? unread ?? unstamped ?? blame.heard(fact, from: state)
  }

  private mutating func note(
    _ fact: DeviceFact, from state: SimulatedDevice, at now: MonotonicTime
  ) -> (Violation.Rule, String)? {
    switch fact {
    case .launched: launched(state)
    case .syncStarted:
      isSyncing = true
      retryDue = nil
    case .syncFinished:
      isSyncing = false
      failures = 0
      sureFailures = 0
    case .syncFailed(_, let error, let wait):
      isSyncing = false
      return failed(error, wait, state.coordinator.configuration, at: now)
    case .storeFailed:
      // A disk that dies after the write has kept what the user was not told of.
      showAll(of: state)
      failures += 2
      storeFailed(at: now)
    case .signedOut:
      isSyncing = false
      retryDue = nil
    case .linkChanged(let isOnline):
      failures = 0
      sureFailures = 0
      retryDue = nil
      if !isOnline { isSyncing = false }
    case .tokenExpired, .zoneLost, .zoneRemoved: forgetTokens()
    case .accountChanged:
      failures = 0
      sureFailures = 0
      beginAnew(state)
    case .reset: beginAnew(state)
    case .pushReceived(let id?):
      guard pushes.insert(id).inserted else { return (.repeatedPush, "push \(id) was taken for a new one twice") }
    default: break
    }
    return nil
  }

  /// A disk that dies after the write may have kept a new account, for which nothing has failed yet.
  mutating func storeFailed(at now: MonotonicTime) {
    duty.storeFailed(at: now)
    floorNotedAt = nil
    sureFailures = 0
    news.forget()
    stamps.forgetPush()
  }

  /// What the device was told before is not what its disk knows of.
  mutating func gotAnotherDisk() { news.forget() }

  /// The device has forgotten what it had, or got something else.
  private mutating func beginAnew(_ state: SimulatedDevice) {
    forgetTokens()
    forgetPushes()
    retryDue = nil
    showAll(of: state)
  }

  private mutating func failed(
    _ error: CloudError, _ wait: Int64?, _ configuration: CoordinatorConfiguration, at now: MonotonicTime
  ) -> (Violation.Rule, String)? {
    guard let wait else { return nil }
    let due = now.advanced(byMilliseconds: wait)
    let asked = error.retryAfterMilliseconds
    if let asked {
      floor = max(floor ?? now, now.advanced(byMilliseconds: asked))
      floorNotedAt = now
    }
    retryDue = max(due, floor ?? due)
    let longest = min(configuration.backoffLimit, configuration.backoffFirst << Int64(min(failures, 16)))
    failures += 1
    let shortest = min(configuration.backoffLimit, configuration.backoffFirst << Int64(min(sureFailures, 16))) / 2
    sureFailures += 1
    duty.hasFailed(pause: due, floor: floor)
    if wait < shortest {
      return (.retry, "it waits \(wait) ms after \(sureFailures) failures in a row, where \(shortest) ms are the least")
    }
    guard wait > max(longest, asked ?? 0) else { return nil }
    return (.retry, "it waits \(wait) ms after failure \(failures) in a row, where \(longest) ms are the most")
  }

  /// A request leaves the device; returns what must not be.
  mutating func sent(
    _ request: CloudRequest, _ id: RequestID, from state: SimulatedDevice, at now: MonotonicTime
  ) -> (Violation.Rule, String)? {
    if case .fetchDatabaseChanges = request { hasAsked = true }
    blame.sent(request, id, from: state)
    news.sent(request)
    guard let floor, now < floor else { return duty.sent(request) }
    return (.retry, "\(request.words) \(floor.milliseconds - now.milliseconds) ms before the cloud wants to hear of it")
  }

  /// Somebody wants the device to look at the feeds.
  mutating func isWanted(at now: MonotonicTime) { duty.isOwed(at: now) }

  /// The cloud's answer reaches the device.
  mutating func answered(_ id: RequestID, _ answer: Result<CloudResponse, CloudError>) {
    blame.answered(id, answer)
    duty.answered(answer)
    news.answered(answer)
  }

  /// Whether the cloud refused the record last because of what it refers to.
  func isRefusedForTarget(_ id: RecordID) -> Bool { blame.dependents.contains(id) }

  // MARK: What the user sees

  /// The user was told that those records changed.
  mutating func shown(_ ids: [RecordID], by state: SimulatedDevice) {
    for id in ids { view[id] = (try? state.store.record(id))?.local }
  }

  mutating func showAll(of state: SimulatedDevice) {
    view = Self.content(of: state)
    for id in state.coordinator.parked { view[id] = nil }
  }

  /// What the user sees otherwise than the device holds it, once the world is at peace; nil where there is nothing.
  func misshown(by state: SimulatedDevice) -> String? {
    let held = Self.content(of: state)
    let ids = Set(held.keys).union(view.keys).sorted()
    guard let id = ids.first(where: { held[$0] != view[$0] && state.app.zones.contains($0.zoneID) }) else { return nil }
    return held[id] == nil
      ? "record \(id.words) is shown and not there"
      : "record \(id.words) is \(view[id] == nil ? "not shown" : "shown as it was")"
  }

  private static func content(of state: SimulatedDevice) -> [RecordID: RecordContent] {
    var content: [RecordID: RecordContent] = [:]
    for zone in state.app.zones {
      // A store that cannot be read is the coordinator's trouble, which it tells.
      for record in (try? state.store.records(in: zone, metBefore: .max)) ?? [] {
        content[record.recordID] = record.local
      }
    }
    return content
  }

  // MARK: After an event

  /// An event and all that it led to are over; returns what must not be.
  mutating func settled(_ state: SimulatedDevice, at now: MonotonicTime) -> [(Violation.Rule, String)] {
    [tokenGoneBack(state), retryForgotten(state), duty.settled(state, at: now), parkedForEver(state)].compactMap { $0 }
  }

  private mutating func tokenGoneBack(_ state: SimulatedDevice) -> (Violation.Rule, String)? {
    var found: (Violation.Rule, String)?
    for zone in state.coordinator.zoneStates {
      guard let token = zone.token, tokenTexts[zone.zoneID] != token else { continue }
      tokenTexts[zone.zoneID] = token
      guard let position = FeedPosition(token) else { continue }
      if let old = tokens[zone.zoneID], old.incarnation == position.incarnation, position.position < old.position {
        found = (.tokenWentBack, "zone \(zone.zoneID.words) from \(old.position) to \(position.position)")
      }
      tokens[zone.zoneID] = position
    }
    return found
  }

  /// A record is hidden only while its zone is read.
  private func parkedForEver(_ state: SimulatedDevice) -> (Violation.Rule, String)? {
    let hidden = state.coordinator.parked
    guard !hidden.isEmpty, !state.coordinator.isSyncing else { return nil }
    let read = state.coordinator.zoneStates.filter { $0.isStale || $0.isInFullFetch }.map(\.zoneID)
    guard let id = hidden.first(where: { !read.contains($0.zoneID) }) else { return nil }
    return (.view, "record \(id.words) is not shown, and its zone has been read to the end")
  }

  private func retryForgotten(_ state: SimulatedDevice) -> (Violation.Rule, String)? {
    guard let retryDue, !isSyncing, state.isComputing, state.isOnline, state.coordinator.account != nil else {
      return nil
    }
    guard state.coordinator.nextDeadline.map({ $0 > retryDue }) ?? true else { return nil }
    return (.retry, "a sync failed, and nothing is due before \(retryDue.milliseconds) ms to try again")
  }
}
