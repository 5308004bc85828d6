import ZoneKitRecords

/// The one gate that every request for a sync goes through.
///
/// Requests join each other: a sync starts after a quiet time, or a limited time after the first request. Requests during
/// a sync make exactly one more sync after it. A retry time of the cloud holds for every reason.
struct SyncGate: Hashable, Sendable {
  /// Requests that wait to become a sync.
  private struct Wait: Hashable, Sendable {
    var reasons: SyncReasons
    var first: MonotonicTime
    var due: MonotonicTime
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

  /// How long no request may come before a sync starts, in milliseconds.
  let quiet: Int64
  /// How long after the first request a sync starts at the latest, in milliseconds.
  let quietLimit: Int64
  /// Before this nothing is sent, because the cloud asked for it.
  private(set) var serverFloor: MonotonicTime?
  /// Before this nothing is sent unless a reason skips the back-off.
  private(set) var backoffFloor: MonotonicTime?
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

  /// Takes in a request for later; an earlier one with the same reason stays.
  mutating func request(_ reason: SyncReason, at time: MonotonicTime) {
    if let index = later.firstIndex(where: { $0.reason == reason }) {
      later[index].at = min(later[index].at, time)
    } else {
      later.append(Later(reason: reason, at: time))
    }
  }

  /// Takes in a request for later that replaces those with the same reason: a sync before that time would be too early.
  mutating func request(_ reason: SyncReason, notBefore time: MonotonicTime) {
    later.removeAll { $0.reason == reason }
    later.append(Later(reason: reason, at: time))
  }

  /// Whether there is a request for later with that reason.
  func isWaiting(for reason: SyncReason) -> Bool { later.contains { $0.reason == reason } }

  /// Keeps everything back until then, because the cloud said so; never shortens what it said before.
  mutating func holdForServer(until time: MonotonicTime) { serverFloor = max(serverFloor ?? time, time) }

  /// Keeps all but the user's own requests back until then.
  mutating func backOff(until time: MonotonicTime) { backoffFloor = time }

  /// Ends the back-off: a sync went well, or the link is new.
  mutating func endBackoff() { backoffFloor = nil }

  /// When `begin` has something to start; nil while a sync runs or nobody wants one.
  var deadline: MonotonicTime? {
    let delayed = later.map { max($0.at, floor(for: [$0.reason])) }.min()
    switch state {
    case .idle: return delayed
    case .waiting(let wait):
      let due = max(wait.due, floor(for: wait.reasons))
      return delayed.map { min($0, due) } ?? due
    case .syncing: return nil
    }
  }

  /// Whether a sync was begun and not finished.
  var isSyncing: Bool {
    if case .syncing = state { true } else { false }
  }

  /// Whether a request waits for the quiet time.
  var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }

  /// The reasons of the sync that starts now; nil if none is due.
  mutating func begin(now: MonotonicTime) -> SyncReasons? {
    guard !isSyncing, let deadline, deadline <= now else { return nil }
    var reasons: SyncReasons = []
    for request in later where request.at <= now { reasons.insert(request.reason) }
    later.removeAll { $0.at <= now }
    if case .waiting(let wait) = state { reasons.formUnion(wait.reasons) }
    // A sync that asks the feeds is the retry, also where it was requested for another reason.
    if reasons != [.localChange] { later.removeAll { $0.reason == .retry } }
    state = .syncing(next: nil)
    lastBegin = now
    return reasons
  }

  /// The sync is over; requests that came meanwhile make the next one.
  mutating func finish() {
    switch state {
    case .idle, .waiting: preconditionFailure("a sync that was not begun cannot be finished")
    case .syncing(nil): state = .idle
    case .syncing(let next?): state = .waiting(next)
    }
  }

  private func floor(for reasons: SyncReasons) -> MonotonicTime {
    let start = MonotonicTime(milliseconds: .min)
    let own = reasons.list.contains(where: \.skipsBackoff) ? start : backoffFloor ?? start
    return max(serverFloor ?? start, own)
  }

  /// The first edit after a quiet time goes at once, so that the other device waits for one debounce and not for two; edits
  /// that follow quickly join each other.
  private func isFirstEdit(_ reason: SyncReason, now: MonotonicTime) -> Bool {
    reason == .localChange && (lastBegin.map { $0.advanced(byMilliseconds: quiet) <= now } ?? true)
  }

  private func joined(_ wait: Wait?, _ reason: SyncReason, now: MonotonicTime) -> Wait {
    var reasons = wait?.reasons ?? []
    reasons.insert(reason)
    let first = wait?.first ?? now
    let quietEnd = min(now.advanced(byMilliseconds: quiet), first.advanced(byMilliseconds: quietLimit))
    let due = reason.skipsDebounce || isFirstEdit(reason, now: now) ? now : quietEnd
    // A request that need not wait starts the others with it; a later one never puts it off.
    let isUrgent = wait.map { $0.reasons.list.contains(where: \.skipsDebounce) } ?? false
    return Wait(reasons: reasons, first: first, due: isUrgent ? min(wait?.due ?? due, due) : due)
  }
}
