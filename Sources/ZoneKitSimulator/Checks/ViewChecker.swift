import ZoneKitRecords
import ZoneKitSync

/// The user sees what the device holds: what existed when the app started, and the changes of which it was notified
/// since.
///
/// This holds when a device is idle, so it is checked on demand and not at each entry of the log.
package struct ViewChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarted, .everythingShown, .recordsShown, .edited],
    facts: [.storeFailed, .accountChanged, .reset])

  /// The zones that the app shows.
  private let zones: [ZoneID]
  private var view: [RecordID: RecordContent] = [:]

  /// A checker at the start of a log.
  package init(zones: [ZoneID]) { self.zones = zones }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    // A disk that fails after the write has kept a change of which the user was not notified.
    case .processStarted, .everythingShown, .fact(.storeFailed), .fact(.accountChanged), .fact(.reset):
      view = content(of: entry.device)
      for id in entry.device.hiddenRecords { view[id] = nil }
    case .recordsShown(let ids): for id in ids { view[id] = entry.device.record(id)?.local }
    case .edited(let changes, _): for change in changes { view[change.id] = change.after }
    default: break
    }
    return nil
  }

  /// The difference between what the user sees and what the device holds, as a sentence; nil for none.
  package func difference(from device: DeviceSnapshot) -> String? {
    let held = content(of: device)
    let ids = Set(held.keys).union(view.keys).sorted()
    guard let id = ids.first(where: { held[$0] != view[$0] && zones.contains($0.zoneID) }) else { return nil }
    return held[id] == nil
      ? "record \(id.words) is shown and not there"
      : "record \(id.words) is \(view[id] == nil ? "not shown" : "shown as it was")"
  }

  private func content(of device: DeviceSnapshot) -> [RecordID: RecordContent] {
    var content: [RecordID: RecordContent] = [:]
    for zone in zones {
      // The coordinator reports a store that cannot be read.
      for record in (try? device.store.records(in: zone, metBefore: .max)) ?? [] {
        content[record.recordID] = record.local
      }
    }
    return content
  }
}
