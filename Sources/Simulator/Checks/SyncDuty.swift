import Records
import SyncCoordinator
import ZoneServer

/// What one device owes: a look at the feeds for a push, a date for what is not sent, and patience with those who ask.
struct SyncDuty: Sendable {
  /// Since when a push waits for the look at the feeds that it has to lead to.
  private var pushSince: MonotonicTime?
  /// Before this nothing has to be asked, because the last sync failed.
  private var pause: MonotonicTime?
  private var lastBegin: MonotonicTime?
  /// Whether the sync under way has asked the database's feed.
  private var hasAsked = false
  /// Whether the process has told its coordinator whose it is; before that nothing can be due.
  private var hasLaunched = false
  /// Whether the cloud refuses the account.
  private var isRefused = false

  /// The longest that anything unsent has to wait: the hour for which a full cloud is left alone, and some.
  private static var longestWait: Int64 { 3_700_000 }

  /// Takes in what the device tells of itself; returns what must not be.
  mutating func heard(
    _ fact: DeviceFact, of configuration: CoordinatorConfiguration, at now: MonotonicTime
  ) -> (Violation.Rule, String)? {
    switch fact {
    case .launched: hasLaunched = true
    case .pushReceived: pushSince = pushSince ?? now
    case .syncStarted(let reasons): return begins(for: reasons, configuration, at: now)
    case .syncFinished(let reasons, _, _):
      pause = nil
      guard reasons != [.localChange], !hasAsked else { return nil }
      return (.neglect, "a sync for \(reasons.text) ended, and the database's feed was not asked")
    case .signedOut:
      isRefused = true
      pushSince = nil
    case .accountChanged:
      (isRefused, pushSince, pause) = (false, nil, nil)
    case .linkChanged: (pushSince, pause) = (nil, nil)
    // How long it waits then, nobody is told.
    case .storeFailed: pushSince = nil
    default: break
    }
    return nil
  }

  private mutating func begins(
    for reasons: SyncReasons, _ configuration: CoordinatorConfiguration, at now: MonotonicTime
  ) -> (Violation.Rule, String)? {
    defer { lastBegin = now }
    hasAsked = false
    isRefused = false
    if reasons != [.localChange] { pushSince = nil }
    guard let lastBegin, reasons.list.allSatisfy({ !$0.skipsDebounce }) else { return nil }
    let gap = now.milliseconds - lastBegin.milliseconds
    guard gap < configuration.quiet else { return nil }
    return (.hurry, "a sync for \(reasons.text) began \(gap) ms after the one before it")
  }

  /// A sync failed, and the next one need not come before then.
  mutating func hasFailed(until time: MonotonicTime) { pause = time }

  mutating func sent(_ request: CloudRequest) {
    if case .fetchDatabaseChanges = request { hasAsked = true }
  }

  /// An event and all that it led to are over; returns what must not be.
  func settled(_ state: SimulatedDevice, at now: MonotonicTime) -> (Violation.Rule, String)? {
    let coordinator = state.coordinator
    guard hasLaunched, state.isComputing, state.isOnline, !isRefused, coordinator.account != nil, !coordinator.isSyncing
    else {
      return nil
    }
    let due = coordinator.nextDeadline
    if let pushSince {
      let limit = pushSince.advanced(byMilliseconds: coordinator.configuration.quietLimit)
      if due.map({ $0 > max(limit, pause ?? limit) }) ?? true {
        return (.neglect, "a push came, and nothing is due until \(limit.milliseconds) ms to look what it is about")
      }
    }
    let limit = now.advanced(byMilliseconds: Self.longestWait)
    guard due.map({ $0 > limit }) ?? true, let waiting = try? state.store.pending(in: nil, after: 0, limit: 1),
      let first = waiting.first
    else { return nil }
    return (.neglect, "\(first.recordID) is not sent, and nothing is due to send it")
  }
}
