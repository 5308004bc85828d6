import ZoneKitRecords

/// A device sends a bounded number of requests within a minute.
package struct RequestRateChecker: DeviceChecker {
  /// So many requests within a minute are too many.
  private let limit: Int
  /// When requests were sent, those of the last minute at least.
  private var sentAt: [MonotonicTime] = []

  /// A checker before anything happened.
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
