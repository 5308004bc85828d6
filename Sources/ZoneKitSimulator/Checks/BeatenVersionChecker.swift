import ZoneKitRecords
import ZoneKitSync

/// What a user of a device wrote stays until the cloud has it. If another version takes its place before, the journal has
/// both.
package struct BeatenVersionChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.edited, .settled, .diskReplaced, .resetting, .storeFailed],
    facts: [.reset, .accountChanged, .storeFailed])

  /// Whether the device decides conflicts.
  private let isDecider: Bool
  /// The versions of the user that the cloud is not known to have; nil for deletions.
  private var unsent: [RecordID: RecordContent?] = [:]
  /// What was found when the last event ended, by record. The log has an edit after the event that it is part of, so it may
  /// explain these.
  private var unexplained: [RecordID: Finding] = [:]

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) { isDecider = configuration.traits.arbiter == .device }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .edited(let changes, _):
      for change in changes where change.before != change.after {
        // The deletion of a record that was never sent leaves nothing to send.
        unsent[change.id] = entry.device.record(change.id)?.isPending == true ? .some(change.after) : nil
        unexplained[change.id] = nil
      }
    case .settled: return isDecider ? settled(entry.device) : nil
    default: (unsent, unexplained) = ([:], [:])
    }
    return nil
  }

  private mutating func settled(_ device: DeviceSnapshot) -> Finding? {
    guard !(unsent.isEmpty && unexplained.isEmpty), device.store.readError == nil else { return nil }
    let first = unexplained.min { $0.key < $1.key }?.value
    unexplained = [:]
    for id in unsent.keys.sorted() {
      guard let version = unsent[id] else { continue }
      let record = device.record(id)
      if record?.local != version {
        unexplained[id] = finding(id, version, device)
        unsent[id] = .some(record?.local)
      }
      if !(record?.isPending ?? false) { unsent[id] = nil }
    }
    return first
  }

  /// The finding about a version in whose place the device has another one, unless the journal has it.
  private func finding(_ id: RecordID, _ version: RecordContent?, _ device: DeviceSnapshot) -> Finding? {
    let entries = (try? device.store.conflicts(limit: .max)) ?? []
    guard !entries.contains(where: { $0.recordID == id && ($0.local == version || $0.server == version) }) else {
      return nil
    }
    let words = RecordContent.comparison(of: id, version, "its user", device.record(id)?.local, device.name)
    return Finding(.decision, "record \(id.words) was replaced before it was sent, and no journal has it: \(words)")
  }
}
