import ZoneKitRecords
import ZoneKitSync

/// At the end of a successful sync the tokens of the zones' feeds are stored.
package struct KeptTokenChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.answer, .storeFailed, .diskReplaced],
    facts: [
      .storeFailed, .reset, .accountChanged, .zoneLost, .zoneRemoved, .zoneCreated, .syncStarted, .tokenExpired,
      .syncFinished,
    ])

  /// The tokens of the zones' last pages in the running sync.
  private var tokens: [ZoneID: ChangeToken] = [:]

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .answer(_, .success(.zoneChanges(let results))):
      for case .changes(let changes) in results { tokens[changes.zoneID] = changes.token }
    case .storeFailed, .diskReplaced, .fact(.storeFailed), .fact(.reset), .fact(.accountChanged), .fact(.zoneLost),
      .fact(.zoneRemoved), .fact(.syncStarted):
      tokens = [:]
    // A zone that was lost with records that the cloud never had is created again without another fact.
    case .fact(.tokenExpired(let id?)), .fact(.zoneCreated(let id)): tokens[id] = nil
    case .fact(.syncFinished): return finished(entry.device)
    default: break
    }
    return nil
  }

  private func finished(_ device: DeviceSnapshot) -> Finding? {
    let lost = device.zones.first { zone in tokens[zone.zoneID].map { $0.unlessEmpty != zone.token } ?? false }
    guard let lost else { return nil }
    return Finding(.requestMissing, "a sync ended well, and the token of zone \(lost.zoneID.words) was not kept")
  }
}
