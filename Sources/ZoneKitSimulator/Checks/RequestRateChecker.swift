import ZoneKitRecords

/// A device sends a limited number of requests within a minute.
package struct RequestRateChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(events: [.request])

  /// The limit.
  private let limit: Int
  /// When requests were sent, at least those of the last minute.
  private var sentAt: [MonotonicTime] = []

  /// A checker at the start of a log.
  package init(limit: Int) { self.limit = limit }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    guard case .request = entry.event else { return nil }
    sentAt.append(entry.now)
    let start = entry.now.milliseconds - 60_000
    if let first = sentAt.firstIndex(where: { $0.milliseconds > start }), first > 64 { sentAt.removeFirst(first) }
    let recent = sentAt.count { $0.milliseconds > start }
    return recent == limit ? Finding(.storm, "\(recent) requests within a minute") : nil
  }
}
