import ZoneKitRecords
import ZoneKitSync

/// A record that waits to be sent has a time at which it is sent.
package struct UnsentRecordChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .settled, .request, .answer, .storeFailed, .diskReplaced], facts: [.storeFailed])

  /// The longest wait of a record while the cloud is full, in milliseconds: somewhat more than the hour for which devices do
  /// not save to it.
  private static var longestWaitForRoom: Int64 { 3_700_000 }

  /// The longest wait of a record otherwise, in milliseconds.
  private let longestWait: Int64

  /// Whether the cloud has kept a save since the device last heard that it is full, which the device has stored.
  private var hasRoom = false
  /// Whether the last request was one to change records.
  private var isSaving = false

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) { longestWait = 2 * configuration.pacing.backoffLimit }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .request(_, let request, _): isSaving = request.kind == .modifyRecords
    case .answer(_, let answer) where isSaving:
      hasRoom = answer.refusals.contains(.quotaExceeded) ? false : hasRoom || answer.keptSave
    case .answer: break
    // What the device learned may not be stored.
    case .processStarting, .storeFailed, .diskReplaced, .fact(.storeFailed): hasRoom = false
    default: return settled(entry, history)
    }
    return nil
  }

  private func settled(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    guard history.acts(entry.device), !entry.device.isMigrating else { return nil }
    let isFull = !hasRoom && entry.device.value(.quotaExceededAt) != nil
    let wait = isFull ? Self.longestWaitForRoom : longestWait
    let limit = max(entry.now, history.excusedUntil ?? entry.now).advanced(byMilliseconds: wait)
    guard entry.device.nextDeadline.map({ $0 > limit }) ?? true,
      let first = (try? entry.device.store.pending(in: nil, after: 0, limit: 1))?.first
    else { return nil }
    return Finding(.requestMissing, "record \(first.recordID.words) is not sent, and nothing is due to send it")
  }
}
