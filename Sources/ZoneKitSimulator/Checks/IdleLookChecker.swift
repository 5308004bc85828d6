import ZoneKitRecords
import ZoneKitSync

/// A device does not fetch again and again when nothing happens: a sync for a push has one, and few fetches without news
/// follow each other for reasons of the device's own.
package struct IdleLookChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .storeFailed, .syncWanted, .edited, .accountSet, .resetting, .clockSet, .diskReplaced],
    facts: [
      .storeFailed, .pushReceived, .linkChanged, .launched, .accountChanged, .signedOut, .reset, .syncFailed,
      .pushTokenRegistered, .pushTokenRefused, .pushTokenFailed, .subscriptionChecked, .subscriptionFailed,
      .tokenExpired, .zoneLost, .zoneRemoved, .cloneDetected, .syncStarted, .syncFinished,
    ])

  /// The time in which fetches follow each other, in milliseconds.
  private static var span: Int64 { 600_000 }

  /// Whether a sync for pushes leaves those that wait for their quiet time to the next one.
  private let completesPushes: Bool
  /// The most fetches without news in that time.
  private let limit: Int
  /// When fetches without news ended since something happened.
  private var idle: [MonotonicTime] = []
  /// The number of pushes since the last sync for one began.
  private var pushes = 0

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) {
    // Two pushes, which a sync divides, may each be followed by all tries.
    limit = 2 * configuration.pushes.emptyPushTries + 3
    completesPushes = configuration.traits.announcedTypes != nil
  }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting: (idle, pushes) = ([], 0)
    case .fact(.pushReceived):
      pushes += 1
      idle = []
    case .fact(.syncStarted(let reasons)): return started(for: reasons)
    case .fact(.syncFinished(let reasons, let records, _)): return finished(reasons, records, at: entry.now)
    default: idle = []
    }
    return nil
  }

  private mutating func started(for reasons: SyncReasons) -> Finding? {
    guard reasons.contains(.push), !completesPushes else { return nil }
    defer { pushes = 0 }
    guard pushes == 0 else { return nil }
    return Finding(.fetchWithoutReason, "a sync for a push started, and none came since the last one")
  }

  private mutating func finished(_ reasons: SyncReasons, _ records: Int, at now: MonotonicTime) -> Finding? {
    guard !reasons.areOfEdits else { return nil }
    guard records == 0, reasons.list.allSatisfy(Self.own.contains) else {
      idle = []
      return nil
    }
    idle.removeAll { $0.advanced(byMilliseconds: Self.span) < now }
    idle.append(now)
    guard idle.count > limit else { return nil }
    return Finding(
      .fetchWithoutReason,
      "\(idle.count) fetches without news within \(Self.span / 1_000) s, the last for \(reasons.text), and nothing happened"
    )
  }

  /// The reasons that a device finds itself.
  private static let own: Set<SyncReason> = [.push, .localChange, .fallback, .retry, .emptyPush, .subscription]
}
