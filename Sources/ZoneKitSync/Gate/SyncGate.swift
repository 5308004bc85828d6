import ZoneKitRecords

/// Decides when the next sync starts. All requests for a sync go through it.
///
/// Requests are joined: a sync starts after a quiet time without requests, or a limited time after the first request.
/// Requests during a sync cause exactly one more sync after it. A retry time of the cloud applies to all reasons.
struct SyncGate: Hashable, Sendable {
  /// Requests that wait for the start of a sync.
  private struct Wait: Hashable, Sendable {
    var reasons: SyncReasons
    var first: MonotonicTime
    var due: MonotonicTime

    /// The same requests without those for one reason; nil if there are no others.
    func without(_ reason: SyncReason) -> Wait? {
      var rest: SyncReasons = []
      for other in reasons.list where other != reason { rest.insert(other) }
      return rest == [] ? nil : Wait(reasons: rest, first: first, due: due)
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

  /// The time without requests after which a sync starts, in milliseconds.
  let quiet: Int64
  /// The longest time from the first request to the start of a sync, in milliseconds.
  let quietLimit: Int64
  /// The time before which nothing is sent, because the cloud asked for that.
  private(set) var serverFloor: MonotonicTime?
  /// The time before which nothing is sent, except for reasons that skip the back-off.
  private(set) var backoffFloor: MonotonicTime?
  /// Whether the back-off does not apply to syncs that only send edits.
  private var backoffSparesEdits = false
  private var state = State.idle
  private var lastBegin: MonotonicTime?
  private var later: [Later] = []

  init(quiet: Int64, quietLimit: Int64) {
    self.quiet = max(quiet, 0)
    self.quietLimit = max(quietLimit, 0)
  }

  /// Takes in a request for a sync.
  mutating func request(_ reason: SyncReason, now: MonotonicTime) {
    switch state {
    case .idle: state = .waiting(joined(nil, reason, now: now))
    case .waiting(let wait): state = .waiting(joined(wait, reason, now: now))
    case .syncing(let next): state = .syncing(next: joined(next, reason, now: now))
    }
  }

  /// Takes in a request for a later sync. An earlier time with the same reason is kept.
  mutating func request(_ reason: SyncReason, at time: MonotonicTime) {
    if let index = later.firstIndex(where: { $0.reason == reason }) {
      later[index].at = min(later[index].at, time)
    } else {
      later.append(Later(reason: reason, at: time))
    }
  }

  /// Takes in a request for a later sync that replaces those with the same reason, because a sync before that time
  /// would be too early.
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
    let delayed = later.map { max($0.at, floor(for: [$0.reason])) }.min()
    switch state {
    case .idle: return delayed
    case .waiting(let wait):
      let due = max(wait.due, min(floor(for: wait.reasons), floor(forEditsIn: wait)))
      return delayed.map { min($0, due) } ?? due
    case .syncing: return nil
    }
  }

  /// Whether a sync is running.
  var isSyncing: Bool {
    if case .syncing = state { true } else { false }
  }

  /// Whether a requested sync waits for the quiet time.
  var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }

  /// The reasons of the sync that starts now; nil if none is due.
  mutating func begin(now: MonotonicTime) -> SyncReasons? {
    guard !isSyncing, let deadline, deadline <= now else { return nil }
    if case .waiting(let wait) = state, floor(for: wait.reasons) > now, floor(forEditsIn: wait) <= now {
      // Only the edits are spared by the back-off. Everything else waits for its end.
      state = .syncing(next: wait.without(.localChange))
      lastBegin = now
      return [.localChange]
    }
    var reasons: SyncReasons = []
    for request in later where request.at <= now { reasons.insert(request.reason) }
    later.removeAll { $0.at <= now }
    if case .waiting(let wait) = state { reasons.formUnion(wait.reasons) }
    // A sync that fetches counts as the retry, even if it was requested for another reason.
    if reasons != [.localChange] { later.removeAll { $0.reason == .retry } }
    state = .syncing(next: nil)
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

  private func floor(for reasons: SyncReasons) -> MonotonicTime {
    let start = MonotonicTime(milliseconds: .min)
    let isSpared = reasons.list.contains(where: \.skipsBackoff) || (backoffSparesEdits && reasons == [.localChange])
    let own = isSpared ? start : backoffFloor ?? start
    return max(serverFloor ?? start, own)
  }

  /// The time before which a sync that only sends the waiting edits may not start; never if there are none. The other
  /// requests may have no debounce, and edits have one.
  private func floor(forEditsIn wait: Wait) -> MonotonicTime {
    guard wait.reasons.contains(.localChange) else { return MonotonicTime(milliseconds: .max) }
    let own = floor(for: [.localChange])
    return max(own, lastBegin?.advanced(byMilliseconds: quiet) ?? own)
  }

  /// Whether an edit is the first one after a quiet time. Such an edit is sent without waiting, so that another device
  /// waits for one debounce and not for two. Further edits are joined.
  private func isFirstEdit(_ reason: SyncReason, now: MonotonicTime) -> Bool {
    reason == .localChange && (lastBegin.map { $0.advanced(byMilliseconds: quiet) <= now } ?? true)
  }

  private func joined(_ wait: Wait?, _ reason: SyncReason, now: MonotonicTime) -> Wait {
    var reasons = wait?.reasons ?? []
    reasons.insert(reason)
    let first = wait?.first ?? now
    let quietEnd = min(now.advanced(byMilliseconds: quiet), first.advanced(byMilliseconds: quietLimit))
    let due = reason.skipsDebounce || isFirstEdit(reason, now: now) ? now : quietEnd
    // A request without a debounce starts the waiting ones with it. A later request never delays it.
    let isUrgent = wait.map { $0.reasons.list.contains(where: \.skipsDebounce) } ?? false
    return Wait(reasons: reasons, first: first, due: isUrgent ? min(wait?.due ?? due, due) : due)
  }
}
