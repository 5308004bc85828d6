import ZoneKitRecords
import ZoneKitSync

/// A record that waits to be sent has a time at which it is sent.
package struct UnsentRecordChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(events: [.settled])

  /// The longest wait of a record while the cloud is full, in milliseconds: somewhat more than the hour for which devices do
  /// not save to it.
  private static var longestWaitForRoom: Int64 { 3_700_000 }

  /// The longest wait of a record otherwise, in milliseconds.
  private let longestWait: Int64

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) { longestWait = 2 * configuration.pacing.backoffLimit }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    guard case .settled = entry.event, history.acts(entry.device), !entry.device.isMigrating else { return nil }
    let isFull = entry.device.value(.quotaExceededAt) != nil
    let wait = isFull ? Self.longestWaitForRoom : longestWait
    let limit = max(entry.now, history.excusedUntil ?? entry.now).advanced(byMilliseconds: wait)
    guard entry.device.nextDeadline.map({ $0 > limit }) ?? true,
      let first = (try? entry.device.store.pending(in: nil, after: 0, limit: 1))?.first
    else { return nil }
    return Finding(.requestMissing, "record \(first.recordID.words) is not sent, and nothing is due to send it")
  }
}
