import ZoneKitRecords
import ZoneKitSync

/// A failed sync is tried again, not before its back-off ends and not later.
package struct BackoffChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .storeFailed, .settled],
    facts: [.syncStarted, .signedOut, .reset, .syncFinished, .syncFailed, .storeFailed, .linkChanged, .accountChanged])

  /// The shortest back-off, in milliseconds.
  private let first: Int64
  /// The longest back-off, in milliseconds.
  private let limit: Int64
  /// The latest time for the retry of a failed sync.
  private var retryDue: MonotonicTime?
  /// The largest possible number of consecutive failures.
  private var failures = 0
  /// The smallest possible number of consecutive failures.
  private var sureFailures = 0

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) {
    first = configuration.pacing.backoffFirst
    limit = configuration.pacing.backoffLimit
  }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting: forget()
    // A disk that fails after the write may have kept a new account, which has no failures yet.
    case .storeFailed: sureFailures = 0
    case .fact(let fact): return take(fact, entry, history)
    case .settled: return settled(entry, history)
    default: break
    }
    return nil
  }

  private mutating func take(_ fact: DeviceFact, _ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch fact {
    case .syncStarted, .signedOut, .reset: retryDue = nil
    // A sync that only sends edits need not end the back-off of fetching.
    case .syncFinished(let reasons, _, _) where reasons.areOfEdits: sureFailures = 0
    case .syncFinished: (failures, sureFailures) = (0, 0)
    case .syncFailed(_, let error, let wait?): return failed(error, wait, entry, history)
    case .storeFailed:
      (failures, sureFailures) = (failures + 2, 0)
      // The retry itself failed, before its sync began, or another sync did: the back-off begins anew.
      retryDue = retryDue.flatMap { due in
        due <= entry.now ? nil : max(due, entry.now.advanced(byMilliseconds: limit))
      }
    case .linkChanged, .accountChanged: forget()
    default: break
    }
    return nil
  }

  private mutating func forget() { (retryDue, failures, sureFailures) = (nil, 0, 0) }

  private mutating func failed(
    _ error: CloudError, _ wait: Int64, _ entry: LogEntry, _ history: DeviceHistory
  ) -> Finding? {
    let due = entry.now.advanced(byMilliseconds: wait)
    retryDue = max(due, history.retryTime ?? due)
    let longest = backoff(after: failures)
    failures += 1
    let shortest = backoff(after: sureFailures) / 2
    sureFailures += 1
    if wait < shortest {
      return Finding(
        .retry, "it waits \(wait) ms after \(sureFailures) failures in a row, where \(shortest) ms are the least")
    }
    guard wait > max(longest, error.retryAfterMilliseconds ?? 0) else { return nil }
    return Finding(.retry, "it waits \(wait) ms after failure \(failures) in a row, where \(longest) ms are the most")
  }

  private func backoff(after failures: Int) -> Int64 { min(limit, first << Int64(min(failures, 16))) }

  private func settled(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    let device = entry.device
    guard let retryDue, !history.isSyncing, device.isComputing, device.isOnline, device.account != nil,
      device.nextDeadline.map({ $0 > retryDue }) ?? true
    else { return nil }
    return Finding(.retry, "a sync failed, and nothing is due before \(retryDue.milliseconds) ms to try again")
  }
}
