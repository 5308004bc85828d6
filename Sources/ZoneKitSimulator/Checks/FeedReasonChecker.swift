import ZoneKitRecords
import ZoneKitSync

/// Feeds are read only within a sync, a sync has a reason, and a sync that only sends edits does not fetch unless the app
/// wants it. One that sends them because the app leaves the foreground never fetches.
package struct FeedReasonChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .answer, .request],
    facts: [.syncStarted, .syncFinished, .storeFailed])

  /// Whether syncs for edits read the feeds too.
  private let fetchesWithEdits: Bool
  /// Whether the running sync only sends edits, and none was refused so far.
  private var isSendingOnly = false
  /// Whether the running sync sends what waits as the app leaves the foreground.
  private var isLeaving = false
  /// Whether the last sync succeeded, so that the device lacks no answer.
  private var hasFinished = false
  /// Whether the sync before the running one succeeded.
  private var hadFinished = false

  /// A checker at the start of a log.
  package init(fetchesWithEdits: Bool = false) { self.fetchesWithEdits = fetchesWithEdits }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting: (isSendingOnly, isLeaving, hasFinished, hadFinished) = (false, false, false, false)
    case .fact(.syncStarted(let reasons)):
      isSendingOnly =
        reasons == [.localChange] && entry.device.databaseToken != nil && hasFinished && !fetchesWithEdits
      isLeaving = reasons.areOfLeaving
      (hadFinished, hasFinished) = (hasFinished, false)
      if reasons.list.isEmpty { return Finding(.fetchWithoutReason, "a sync started without a reason") }
    // While fetching fails a sync only sends edits, and the device still lacks the answer.
    case .fact(.syncFinished(let reasons, _, _)):
      hasFinished = !reasons.areOfLeaving && (reasons != [.localChange] || hadFinished || history.hasAskedDatabase)
    case .fact(.storeFailed): hasFinished = false
    case .answer(_, let answer): if !answer.refusals.isEmpty { isSendingOnly = false }
    case .request(_, let request, _): return sent(request, history)
    default: break
    }
    return nil
  }

  private func sent(_ request: CloudRequest, _ history: DeviceHistory) -> Finding? {
    if request.kind.isFetch, !history.isSyncing {
      return Finding(.fetchWithoutReason, "\(request.words) outside of any sync")
    }
    if isLeaving, request.kind.isFetch {
      return Finding(.fetchWithoutReason, "\(request.words) as the app leaves the foreground")
    }
    guard isSendingOnly, case .fetchDatabaseChanges = request else { return nil }
    return Finding(
      .fetchWithoutReason, "a sync that has only edits to send asks the database's feed, and nothing was refused")
  }
}
