import ZoneKitRecords
import ZoneKitSync

/// Requests for a sync within the debounce are joined, and a device has one request in progress at a time.
package struct SyncSpacingChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(events: [.processStarting, .request], facts: [.syncStarted])

  /// The usual debounce, in milliseconds.
  private let quiet: Int64
  /// The paces of reasons that have one of their own.
  private let paces: [SyncReason: Pace]
  /// Whether each push brings its own pace, such as none for chat messages.
  private let pushesHavePaces: Bool
  /// The reasons whose first request after a quiet time starts a sync at once, however late the one before began.
  private let firstAtOnce: [SyncReason]
  private var lastStart: MonotonicTime?

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) {
    quiet = configuration.pacing.quiet
    paces = configuration.pacing.paces
    pushesHavePaces = configuration.traits.announcedTypes != nil
    firstAtOnce = configuration.pacing.paces.filter { $0.value.firstAtOnce && $0.value.countsRequests }.keys.sorted {
      $0.rawValue < $1.rawValue
    }
  }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting: lastStart = nil
    case .fact(.syncStarted(let reasons)): return started(for: reasons, at: entry.now)
    case .request(_, let request, isAlone: false):
      return Finding(.requestTooEarly, "\(request.words) goes out beside another request")
    default: break
    }
    return nil
  }

  private mutating func started(for reasons: SyncReasons, at now: MonotonicTime) -> Finding? {
    let gap = lastStart.map { now.milliseconds - $0.milliseconds }
    lastStart = now
    let shortest = reasons.list.map { paces[$0]?.quiet ?? quiet }.min() ?? quiet
    guard let gap, gap < shortest, !firstAtOnce.contains(where: reasons.contains),
      reasons.list.allSatisfy({ !$0.skipsDebounce && !($0 == .push && pushesHavePaces) })
    else { return nil }
    return Finding(.requestTooEarly, "a sync for \(reasons.text) began \(gap) ms after the one before it")
  }
}
