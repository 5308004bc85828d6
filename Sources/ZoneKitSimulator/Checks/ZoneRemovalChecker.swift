import ZoneKitRecords
import ZoneKitSync

/// A device removes a zone's records only if the database's feed, or the refusal of a token, reported the deletion of the
/// zone.
package struct ZoneRemovalChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(events: [.answer], facts: [.zoneRemoved])

  /// Whether the app decides what happens to the records of a removed zone.
  private let isDecidedByApp: Bool
  /// The zones that were reported as deleted.
  private var gone: [Name: ZoneDeletion] = [:]

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) {
    isDecidedByApp = configuration.merging.zoneRemovalRule != nil
  }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .answer(_, .success(.databaseChanges(let changes))):
      for case .deleted(let id, let ending) in changes.zones { gone[id.zoneName] = ending.reason }
    case .answer(_, .success(.zoneChanges(let results))):
      for case .failed(let id, let error) in results {
        if let ending = error.ending { gone[id.zoneName] = ending.reason }
      }
    case .fact(.zoneRemoved(let id, _, isPurge: false)):
      guard gone[id.zoneName] != .deleted, !isDecidedByApp else { return nil }
      return Finding(.lostEdit, "zone \(id.words) was thrown away, and nobody deleted it")
    default: break
    }
    return nil
  }
}
