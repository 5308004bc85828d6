import ZoneKitSync

/// A repeated push causes no further fetch.
package struct PushDuplicateChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.diskReplaced, .clockSet, .accountSet],
    facts: [.pushReceived, .accountChanged, .reset])

  /// The IDs of the pushes that were treated as new.
  private var taken: Set<String> = []

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .fact(.pushReceived(let id?)):
      if !taken.insert(id).inserted { return Finding(.repeatedPush, "push \(id) was taken for a new one twice") }
    // The device may have forgotten its received pushes.
    case .fact(.accountChanged), .fact(.reset), .diskReplaced, .clockSet, .accountSet: taken = []
    default: break
    }
    return nil
  }
}
