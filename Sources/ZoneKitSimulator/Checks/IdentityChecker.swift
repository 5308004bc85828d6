import ZoneKitRecords
import ZoneKitSync

/// A device takes a new ID only if it may be a copy of another one.
///
/// A push token can also seem taken because an older hello of the device itself came late. And a request that arrives
/// twice, or after its process died, can bring back what is gone, which nobody can know for their own then.
package struct IdentityChecker: Sendable {
  /// Whether any device ever got another disk, so that there may be two of one ID.
  private var hasCopies = false
  /// What a request made anew that arrived twice, or after its process died.
  private var revived: Set<RecordID> = []

  /// A checker before anything happened.
  package init() {}

  /// Takes in what happened next on any device. Returns what breaks the invariant; nil where nothing does.
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

  /// A request makes a record that is not there any more: for the second time, or after the process that sent it died.
  package mutating func isMadeAnew(_ id: RecordID) { revived.insert(id) }
}
