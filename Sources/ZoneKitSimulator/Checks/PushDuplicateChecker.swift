import ZoneKitSync

/// The same push makes a device fetch once.
package struct PushDuplicateChecker: DeviceChecker {
  /// The IDs of the pushes that were taken for new ones.
  private var taken: Set<String> = []

  /// A checker before anything happened.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .fact(.pushReceived(let id?)):
      if !taken.insert(id).inserted { return Finding(.repeatedPush, "push \(id) was taken for a new one twice") }
    // The device may have forgotten which pushes came.
    case .fact(.accountChanged), .fact(.reset), .diskReplaced, .clockSet, .accountSet: taken = []
    default: break
    }
    return nil
  }
}
