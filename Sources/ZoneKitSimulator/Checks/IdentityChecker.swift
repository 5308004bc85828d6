import ZoneKitRecords
import ZoneKitSync

/// A device gets a new device ID only if it may be a copy of another one.
///
/// There are two exceptions. A push token can seem to be in use because an older hello of the same device arrived late.
/// And a request that arrives twice, or after its process ended, can restore a deleted record, which the device cannot
/// recognise as its own.
package struct IdentityChecker: Sendable {
  /// The kinds of events that it reads.
  package static let reads = LogEventKinds(events: [.diskReplaced], facts: [.cloneDetected])

  /// Whether a device ever got another disk, so that two devices may have one device ID.
  private var hasCopies = false
  /// The records that a request created again, because it arrived twice or after its process ended.
  private var revived: Set<RecordID> = []

  /// A checker at the start of a log.
  package init() {}

  /// The next entry of the log of any device was read. Returns the violation; nil for none.
  package mutating func take(_ entry: LogEntry) -> Finding? {
    switch entry.event {
    case .diskReplaced: hasCopies = true
    case .fact(.cloneDetected(let id?, _)):
      guard !hasCopies, !revived.contains(id) else { return nil }
      return Finding(.identity, "it took a new identity, and nobody has a copy of its disk")
    default: break
    }
    return nil
  }

  /// A request creates a record that was deleted: it arrived twice, or after the process that sent it ended.
  package mutating func isMadeAnew(_ id: RecordID) { revived.insert(id) }
}
