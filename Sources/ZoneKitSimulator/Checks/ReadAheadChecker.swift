import ZoneKitRecords
import ZoneKitSync

/// A page of a feed that a device asks for ahead is the one that the coordinator asks for then, so that it is sent once.
package struct ReadAheadChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(events: [.processStarting, .sent, .settled])

  private struct Page: Hashable {
    var zone: ZoneID
    var token: ChangeToken?
  }

  /// The pages that the device asked for since it handled the last event.
  private var asked: Set<Page> = []

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    // A process that was killed did not settle.
    case .processStarting, .settled: asked = []
    case .sent(.fetchZoneChanges(let queries)):
      for query in queries where !asked.insert(Page(zone: query.zoneID, token: query.token)).inserted {
        return Finding(.storm, "the next page of zone \(query.zoneID.zoneName) is asked for ahead, and then again")
      }
    default: break
    }
    return nil
  }
}
