import ZoneKitCloud
import ZoneKitRecords
import ZoneKitSync

/// The token of a zone's feed never goes back.
package struct TokenOrderChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarted, .diskReplaced, .resetting, .settled],
    facts: [.tokenExpired, .zoneLost, .zoneRemoved, .accountChanged, .reset])

  /// The positions of the tokens of the zones' feeds.
  private var positions: [ZoneID: FeedPosition] = [:]
  private var tokens: [ZoneID: ChangeToken] = [:]

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarted:
      // A token that expired just before the end of the process was removed, without a fact.
      for zone in entry.device.zones where zone.token == nil || zone.isInFullFetch { positions[zone.zoneID] = nil }
    case .fact(.tokenExpired), .fact(.zoneLost), .fact(.zoneRemoved), .fact(.accountChanged), .fact(.reset),
      .diskReplaced, .resetting:
      (positions, tokens) = ([:], [:])
    case .settled: return settled(entry.device)
    default: break
    }
    return nil
  }

  private mutating func settled(_ device: DeviceSnapshot) -> Finding? {
    var found: Finding?
    for zone in device.zones {
      guard let token = zone.token, tokens[zone.zoneID] != token else { continue }
      tokens[zone.zoneID] = token
      guard let position = FeedPosition(token) else { continue }
      if let old = positions[zone.zoneID], old.incarnation == position.incarnation, position.position < old.position {
        found = Finding(.tokenWentBack, "zone \(zone.zoneID.words) from \(old.position) to \(position.position)")
      }
      positions[zone.zoneID] = position
    }
    return found
  }
}
