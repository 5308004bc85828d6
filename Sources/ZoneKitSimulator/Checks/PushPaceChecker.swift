import ZoneKitRecords
import ZoneKitSync

/// A push that has a pace of its own causes a sync after its quiet time and before its limit. An earlier sync does not
/// count: what the push announces may be incomplete then.
package struct PushPaceChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .storeFailed, .pushHanded, .settled],
    facts: [.storeFailed, .pushReceived, .syncStarted, .linkChanged, .signedOut, .accountChanged, .reset])

  /// Pushes of one pace that wait for a sync.
  private struct Waiting {
    var first: MonotonicTime
    var last: MonotonicTime

    func due(_ pace: Pace) -> MonotonicTime {
      min(last.advanced(byMilliseconds: pace.quiet), first.advanced(byMilliseconds: pace.limit))
    }
  }

  /// Whether the app's pushes have to be complete.
  private let completesPushes: Bool
  private var waiting: [Pace: Waiting] = [:]
  /// Whether a new push was received whose pace is not known yet.
  private var hasNew = false
  /// The pushes that the sync took which began since then; nil for no such sync.
  private var taken: [Pace: Waiting]?
  /// Whether nothing is due before the next sync that fetches. The pushes wait on.
  private var isExcused = false

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) {
    completesPushes = configuration.traits.announcedTypes != nil
  }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .fact(.pushReceived):
      // The pace of a push that a failing disk took is never known.
      if hasNew { isExcused = true }
      (hasNew, taken) = (true, nil)
    case .pushHanded(_, let hint?, _): handed(hint, at: entry.now)
    case .pushHanded: hasNew = false
    case .fact(.syncStarted(let reasons)):
      guard !reasons.areOfEdits else { return nil }
      isExcused = false
      taken = waiting.filter { $0.value.due($0.key) <= entry.now }
      waiting = waiting.filter { $0.value.due($0.key) > entry.now }
    case .settled: return settled(entry, history)
    case .processStarting: (waiting, hasNew, isExcused) = ([:], false, false)
    // The store's failure may have ended the running sync. A lost link, account or position ends it too.
    default: (hasNew, isExcused) = (false, true)
    }
    return nil
  }

  private mutating func handed(_ hint: PushHint, at now: MonotonicTime) {
    guard completesPushes, hasNew, let quiet = hint.quiet, let limit = hint.limit else { return }
    hasNew = false
    let pace = Pace(quiet: quiet, limit: limit)
    let joined = Waiting(first: (taken?[pace] ?? waiting[pace])?.first ?? now, last: now)
    // A sync that began with the push took it if it was due at once.
    if taken == nil || joined.due(pace) > now { waiting[pace] = joined }
  }

  private func settled(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    // The pace of a push that was just received is not known yet.
    guard !hasNew, !isExcused, let due = waiting.map({ $1.due($0) }).min(), history.acts(entry.device) else {
      return nil
    }
    let latest = max(due, history.excusedUntil ?? due)
    guard entry.device.nextDeadline.map({ $0 > latest }) ?? true else { return nil }
    return Finding(.requestMissing, "a push has its quiet time until \(due.milliseconds) ms, and nothing is due then")
  }
}
