import ZoneKitCloud
import ZoneKitRecords
import ZoneKitSync

/// A cloud that has said that it is full is asked to keep nothing more in the same sync.
package struct FullCloudChecker: DeviceChecker {
  /// Whether the cloud has said in the sync under way that it is full.
  private var isFull = false

  /// A checker before anything happened.
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
