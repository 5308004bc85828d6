import ZoneKitRecords
import ZoneKitSync

/// A record that waits to be sent has a time at which it is sent.
package struct UnsentRecordChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads: LogEventKinds = [.settled]

  /// The longest wait of a record, in milliseconds: somewhat more than the hour for which devices do not save to a full
  /// cloud.
  private static var longestWait: Int64 { 3_700_000 }

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    guard case .settled = entry.event, history.acts(entry.device), !entry.device.isMigrating else { return nil }
    let limit = entry.now.advanced(byMilliseconds: Self.longestWait)
    guard entry.device.nextDeadline.map({ $0 > limit }) ?? true,
      let first = (try? entry.device.store.pending(in: nil, after: 0, limit: 1))?.first
    else { return nil }
    return Finding(.requestMissing, "record \(first.recordID.words) is not sent, and nothing is due to send it")
  }
}
