import ZoneKitRecords
import ZoneKitSync

/// What a user writes after a device has removed a zone, and before it meets another one of that name, is new: it does
/// not go with the zone that was removed.
package struct WrittenLaterChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.answer, .edited, .diskReplaced, .processStarting],
    facts: [.zoneRemoved, .zoneCreated, .recordSent, .reset, .accountChanged])

  /// The zones that were removed and not met since, with the records written since then.
  private var written: [ZoneID: Set<RecordID>] = [:]

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    for zone in entry.device.zones { written[zone.zoneID] = nil }
    switch entry.event {
    case .edited(let changes, _):
      for change in changes where change.after != nil { written[change.id.zoneID]?.insert(change.id) }
    case .fact(.zoneRemoved(let zone, _, _)):
      let gone = written[zone]?.filter { entry.device.record($0) == nil } ?? []
      written[zone] = []
      guard let first = gone.min() else { return nil }
      return Finding(.lostEdit, "record \(first.words) went with a zone that had been removed before it was written")
    case .diskReplaced, .processStarting, .fact(.reset), .fact(.accountChanged): written = [:]
    default: break
    }
    return nil
  }
}
