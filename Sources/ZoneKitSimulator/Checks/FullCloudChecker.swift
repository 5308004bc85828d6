import ZoneKitCloud
import ZoneKitRecords
import ZoneKitSync

/// After the cloud has reported full storage, the same sync sends no more saves.
package struct FullCloudChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(events: [.processStarting, .answer, .request], facts: [.syncStarted])

  /// Whether the cloud has reported full storage in the running sync.
  private var isFull = false

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting, .fact(.syncStarted): isFull = false
    case .answer(_, let answer): if answer.refusals.contains(.quotaExceeded) { isFull = true }
    case .request(_, .modifyRecords(let batch), _):
      guard isFull, batch.operations.contains(where: { $0.kind != .delete && $0.kind != .forceDelete }) else {
        return nil
      }
      return Finding(.retry, "a cloud that has just said that it is full is asked to keep more")
    default: break
    }
    return nil
  }
}
