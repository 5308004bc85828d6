import ZoneKitRecords
import ZoneKitSync

/// A push, a request of the user and a new link cause a fetch within the longest debounce.
package struct FeedReadChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .syncWanted, .storeFailed, .settled, .request],
    facts: [
      .pushReceived, .linkChanged, .syncStarted, .signedOut, .accountChanged, .storeFailed, .syncFailed,
      .syncFinished,
    ])

  /// The longest debounce, in milliseconds.
  private let quietLimit: Int64
  /// Whether syncs for edits read the feeds too.
  private let fetchesWithEdits: Bool
  /// The time since which a fetch is due.
  private var wantedSince: MonotonicTime?
  /// What is known of a running sync that fetches everything and has not asked for a feed yet; nil without one.
  private var beforeFeeds: BeforeFeeds?

  private struct BeforeFeeds {
    /// Whether a fetch was wanted since the sync began, which the sync does.
    var isWanted = false
  }

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) {
    quietLimit = configuration.pacing.quietLimit
    fetchesWithEdits = configuration.pacing.localChangesFetch
  }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting: (wantedSince, beforeFeeds) = (nil, nil)
    case .syncWanted where beforeFeeds != nil: beforeFeeds?.isWanted = true
    case .syncWanted, .fact(.pushReceived): wantedSince = wantedSince ?? entry.now
    case .request(_, let request, _):
      if request.kind == .fetchDatabaseChanges || request.kind == .fetchZoneChanges { beforeFeeds = nil }
    case .fact(.syncFailed), .fact(.syncFinished):
      if beforeFeeds?.isWanted == true { wantedSince = wantedSince ?? entry.now }
      beforeFeeds = nil
    case .fact(.linkChanged(let isOnline)): wantedSince = isOnline ? entry.now : nil
    case .fact(.syncStarted(let reasons)):
      if !reasons.areOfEdits { wantedSince = nil }
      let isPartial =
        reasons.areOfLeaving || reasons.list.allSatisfy { $0 == .push || ($0 == .localChange && !fetchesWithEdits) }
      beforeFeeds = isPartial ? nil : BeforeFeeds()
    case .fact(.signedOut), .fact(.accountChanged): wantedSince = nil
    // The failure may have ended the running sync.
    case .storeFailed, .fact(.storeFailed): if wantedSince != nil { wantedSince = entry.now }
    case .settled: return settled(entry, history)
    default: break
    }
    return nil
  }

  private func settled(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    guard let wantedSince, history.acts(entry.device) else { return nil }
    let limit = wantedSince.advanced(byMilliseconds: quietLimit)
    let latest = max(limit, history.excusedUntil ?? limit)
    guard entry.device.nextDeadline.map({ $0 > latest }) ?? true else { return nil }
    return Finding(
      .requestMissing, "a look at the feeds is wanted, and nothing is due until \(limit.milliseconds) ms to take it")
  }
}
