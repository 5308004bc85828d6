import ZoneKitSync

/// A device sends no requests while its app knows that there is no link.
package struct OfflineRequestChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(events: [.request])

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    guard case .request(_, let request, _) = entry.event, !entry.device.isOnline else { return nil }
    return Finding(.requestTooEarly, "\(request.kind.rawValue) is sent, and there is no link")
  }
}
