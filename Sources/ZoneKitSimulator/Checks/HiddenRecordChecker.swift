/// A record is hidden only while its zone's feed is being read.
package struct HiddenRecordChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(events: [.settled])

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    let device = entry.device
    guard case .settled = entry.event, !device.isSyncing, !device.hiddenRecords.isEmpty else { return nil }
    let unread = device.zones.filter { $0.isStale || $0.isInFullFetch }.map(\.zoneID)
    guard let id = device.hiddenRecords.first(where: { !unread.contains($0.zoneID) }) else { return nil }
    return Finding(.view, "record \(id.words) is not shown, and its zone has been read to the end")
  }
}
