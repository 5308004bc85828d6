import ZoneKitRecords
import ZoneKitSync

/// A push, a user's wish and a new link lead to a look at the feeds, within the time for which a device gathers wishes.
package struct FeedReadChecker: DeviceChecker {
  /// How long wishes are gathered at most, in milliseconds.
  private let quietLimit: Int64
  /// Since when a look at the feeds is wanted.
  private var wantedSince: MonotonicTime?

  /// A checker before anything happened.
  package init(_ configuration: CoordinatorConfiguration) { quietLimit = configuration.quietLimit }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting: wantedSince = nil
    case .syncWanted, .fact(.pushReceived): wantedSince = wantedSince ?? entry.now
    case .fact(.linkChanged(let isOnline)): wantedSince = isOnline ? entry.now : nil
    case .fact(.syncStarted(let reasons)): if reasons != [.localChange] { wantedSince = nil }
    case .fact(.signedOut), .fact(.accountChanged): wantedSince = nil
    // The sync under way may have been ended for the failure.
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
