import ZoneKitRecords

/// Decides when the next sync starts. All requests for a sync go through it.
///
/// Requests are joined: a sync starts after a quiet time without requests of the same pace, or a limited time after the
/// first of them, and takes the requests of all paces along, except those for pushes that have to be complete. Requests
/// during a sync cause exactly one more sync after it.
/// A retry time of the cloud applies to all reasons.
struct SyncGate: Hashable, Sendable {
  /// Requests of one pace that wait for the start of a sync.
  private struct Track: Hashable, Sendable {
    var reasons: SyncReasons
    var pace: Pace
    var first: MonotonicTime
    var due: MonotonicTime
  }

  /// Requests that wait for the start of a sync, at least one.
  private struct Wait: Hashable, Sendable {
    var tracks: [Track] = []

    /// The same requests without those that wait for no more than a reason of the coordinator's own; nil if there are
    /// no others.
    var withoutOwnReasons: Wait? {
      let rest = tracks.filter { !$0.reasons.list.allSatisfy(\.isOwn) }
      return rest.isEmpty ? nil : Wait(tracks: rest)
    }

    /// The reasons of all requests.
    var reasons: SyncReasons { tracks.reduce(into: []) { $0.formUnion($1.reasons) } }

    /// When the sync is due: when the requests of the first pace are.
    var due: MonotonicTime { tracks.map(\.due).min() ?? MonotonicTime(milliseconds: .max) }

    /// When the requests for that reason are due; nil if there are none.
    func due(for reason: SyncReason) -> MonotonicTime? {
      tracks.filter { $0.reasons.contains(reason) }.map(\.due).min()
    }

    /// Removes and returns the requests for pushes that are due after that time; nil if there are none.
    mutating func takePushes(after now: MonotonicTime) -> Wait? {
      var late = tracks.filter { $0.reasons.contains(.push) && $0.due > now }
      for index in late.indices { late[index].reasons = [.push] }
      for index in tracks.indices where tracks[index].due > now { tracks[index].reasons.remove(.push) }
      return late.isEmpty ? nil : Wait(tracks: late)
    }

    /// The same requests without those for one reason; nil if there are no others.
    func without(_ reason: SyncReason) -> Wait? {
      var rest = tracks
      for index in rest.indices { rest[index].reasons.remove(reason) }
      rest.removeAll { $0.reasons == [] }
      return rest.isEmpty ? nil : Wait(tracks: rest)
    }
  }

  private enum State: Hashable, Sendable {
    case idle
    case waiting(Wait)
    case syncing(next: Wait?)
  }

  private struct Later: Hashable, Sendable {
    var reason: SyncReason
    var at: MonotonicTime
  }

  /// The pace of each reason.
  private let pace: [SyncReason: Pace]
  /// The time before which nothing is sent, because the cloud asked for that.
  private(set) var serverFloor: MonotonicTime?
  /// The time before which nothing is sent, except for reasons that skip the back-off.
  private(set) var backoffFloor: MonotonicTime?
  /// Whether no sync starts for a reason of the coordinator's own. Another one takes these reasons along.
  var holdsOwnReasons = false
  /// Whether the back-off does not apply to syncs that only send edits.
  private var backoffSparesEdits = false
  /// Whether a sync that starts earlier leaves requests for pushes that wait for their quiet time: what a push announces
  /// may still be incomplete then.
  private let completesPushes: Bool
  private var state = State.idle
  private var lastBegin: MonotonicTime?
  /// The last request for each reason whose pace counts them.
  private var lastRequests: [SyncReason: MonotonicTime] = [:]
  private var later: [Later] = []

  /// A gate with these paces. Reasons without one have the usual pace: that of a push and of a local change has those
  /// times. `completesPushes` says whether a sync that starts earlier leaves pushes their quiet time.
  init(quiet: Int64, quietLimit: Int64, paces: [SyncReason: Pace] = [:], completesPushes: Bool = false) {
    self.completesPushes = completesPushes
    var all = paces
    for reason in SyncReason.allCases where paces[reason] == nil {
      all[reason] =
        reason.skipsDebounce
        ? .atOnce : Pace(quiet: quiet, limit: quietLimit, firstAtOnce: reason == .localChange)
    }
    pace = all
  }

  /// The pace of a reason.
  func pace(of reason: SyncReason) -> Pace { pace[reason] ?? .atOnce }

  /// A sync is requested, with its own pace if it has one.
  mutating func request(_ reason: SyncReason, pace own: Pace? = nil, now: MonotonicTime) {
    let pace = own ?? pace(of: reason)
    defer { if pace.countsRequests { lastRequests[reason] = now } }
    switch state {
    case .idle: state = .waiting(joined(Wait(), reason, pace, now: now))
    case .waiting(let wait): state = .waiting(joined(wait, reason, pace, now: now))
    case .syncing(let next): state = .syncing(next: joined(next ?? Wait(), reason, pace, now: now))
    }
  }

  /// Takes back the requests for a reason that wait for the start of a sync.
  mutating func withdraw(_ reason: SyncReason) {
    later.removeAll { $0.reason == reason }
    switch state {
    case .idle, .syncing(next: nil): break
    case .waiting(let wait): state = wait.without(reason).map { .waiting($0) } ?? .idle
    case .syncing(next: let next?): state = .syncing(next: next.without(reason))
    }
  }

  /// A later sync is requested. An earlier time with the same reason is kept.
  mutating func request(_ reason: SyncReason, at time: MonotonicTime) {
    if let index = later.firstIndex(where: { $0.reason == reason }) {
      later[index].at = min(later[index].at, time)
    } else {
      later.append(Later(reason: reason, at: time))
    }
  }

  /// A later sync is requested, which replaces those with the same reason, because a sync before that time would be too
  /// early.
  mutating func request(_ reason: SyncReason, notBefore time: MonotonicTime) {
    later.removeAll { $0.reason == reason }
    later.append(Later(reason: reason, at: time))
  }

  /// Whether a later sync with that reason is requested.
  func isWaiting(for reason: SyncReason) -> Bool { later.contains { $0.reason == reason } }

  /// Prevents syncs until that time, because the cloud asked for that. Never shortens an earlier demand.
  mutating func holdForServer(until time: MonotonicTime) { serverFloor = max(serverFloor ?? time, time) }

  /// Prevents syncs until that time, except those that the user requests and, if `sparesEdits`, those that only send
  /// edits.
  mutating func backOff(until time: MonotonicTime, sparesEdits: Bool = false) {
    backoffFloor = time
    backoffSparesEdits = sparesEdits
  }

  /// Whether the back-off goes on.
  func isBackingOff(now: MonotonicTime) -> Bool { backoffFloor.map { $0 > now } ?? false }

  /// Ends the back-off, after a successful sync or with a new link.
  mutating func endBackoff() { backoffFloor = nil }

  /// When `begin` has a sync to start; nil while a sync runs or none is requested.
  var deadline: MonotonicTime? {
    let delayed = later.filter { !isHeld($0.reason) }.map { max($0.at, floor(for: [$0.reason])) }.min()
    switch state {
    case .idle: return delayed
    case .waiting(let all):
      guard let wait = holdsOwnReasons ? all.withoutOwnReasons : all else { return delayed }
      let due = max(wait.due, min(floor(for: wait.reasons), floor(forEditsIn: wait)))
      return delayed.map { min($0, due) } ?? due
    case .syncing: return nil
    }
  }

  /// Whether a sync is running.
  var isSyncing: Bool {
    if case .syncing = state { true } else { false }
  }

  /// Whether the sync that runs leaves pushes their quiet time, because they were received before it began.
  var leavesPushes: Bool {
    if case .syncing(let next?) = state { next.reasons.contains(.push) } else { false }
  }

  /// Whether a requested sync waits for the quiet time.
  var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }

  /// The reasons of the sync that starts now; nil if none is due.
  mutating func begin(now: MonotonicTime) -> SyncReasons? {
    guard !isSyncing, let deadline, deadline <= now else { return nil }
    if case .waiting(let wait) = state, !holdsOwnReasons, floor(for: wait.reasons) > now,
      floor(forEditsIn: wait) <= now
    {
      // Only the edits are spared by the back-off. Everything else waits for its end.
      state = .syncing(next: wait.without(.localChange))
      lastBegin = now
      return [.localChange]
    }
    var reasons: SyncReasons = []
    for request in later where request.at <= now { reasons.insert(request.reason) }
    later.removeAll { $0.at <= now }
    var left: Wait?
    if case .waiting(var wait) = state {
      if completesPushes { left = wait.takePushes(after: now) }
      reasons.formUnion(wait.reasons)
    }
    // A sync that fetches counts as the retry, even if it was requested for another reason.
    if !reasons.areOfEdits { later.removeAll { $0.reason == .retry } }
    state = .syncing(next: left)
    lastBegin = now
    return reasons
  }

  /// Ends the sync. Requests that arrived during it cause the next one.
  mutating func finish() {
    switch state {
    case .idle, .waiting: preconditionFailure("a sync that was not begun cannot be finished")
    case .syncing(nil): state = .idle
    case .syncing(let next?): state = .waiting(next)
    }
  }

  private func isHeld(_ reason: SyncReason) -> Bool { holdsOwnReasons && reason.isOwn }

  private func floor(for reasons: SyncReasons) -> MonotonicTime {
    let start = MonotonicTime(milliseconds: .min)
    let isSpared = reasons.list.contains(where: \.skipsBackoff) || (backoffSparesEdits && reasons == [.localChange])
    let own = isSpared ? start : backoffFloor ?? start
    return max(serverFloor ?? start, own)
  }

  /// The time before which a sync that only sends the waiting edits may not start; never if there are none. The other
  /// requests may have no debounce, and edits have one.
  private func floor(forEditsIn wait: Wait) -> MonotonicTime {
    guard let due = wait.due(for: .localChange) else { return MonotonicTime(milliseconds: .max) }
    let own = floor(for: [.localChange])
    let pace = pace(of: .localChange)
    guard pace.firstAtOnce else { return max(own, due) }
    return max(own, lastBegin?.advanced(byMilliseconds: pace.quiet) ?? own)
  }

  /// Whether no sync began, or nothing was requested, for as long as the quiet time. Then the first edit is sent without
  /// waiting, so that another device waits for one debounce and not for two. Further edits are joined.
  private func isFirst(_ reason: SyncReason, _ pace: Pace, now: MonotonicTime) -> Bool {
    let last = pace.countsRequests ? lastRequests[reason] : lastBegin
    return pace.firstAtOnce && (last.map { $0.advanced(byMilliseconds: pace.quiet) <= now } ?? true)
  }

  /// A later request delays only those of its own pace.
  private func joined(_ wait: Wait, _ reason: SyncReason, _ pace: Pace, now: MonotonicTime) -> Wait {
    var wait = wait
    let known = wait.tracks.firstIndex { $0.pace.isJoined(with: pace) }
    let index = known ?? wait.tracks.endIndex
    if known == nil { wait.tracks.append(Track(reasons: [], pace: pace, first: now, due: now)) }
    wait.tracks[index].reasons.insert(reason)
    let first = wait.tracks[index].first
    // What is due already waits for the end of a sync alone.
    if pace.countsRequests, known != nil, wait.tracks[index].due <= now { return wait }
    wait.tracks[index].due =
      isFirst(reason, pace, now: now)
      ? now : min(now.advanced(byMilliseconds: pace.quiet), first.advanced(byMilliseconds: pace.limit))
    return wait
  }
}
