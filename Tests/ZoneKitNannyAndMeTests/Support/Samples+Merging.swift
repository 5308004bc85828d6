import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitSync

/// Whether the first action wins over the second.
func beats(_ first: BabyAction, _ second: BabyAction) -> Bool {
  ActionConflictResolver.decide(
    ActionConflictResolver.rank(of: RecordContent(first)), ActionConflictResolver.rank(of: RecordContent(second))
  ).firstWins
}

extension Conflict {
  /// The conflict as the other device meets it.
  var swapped: Conflict {
    Conflict(recordID: recordID, recordType: recordType, local: server, server: local, ancestor: ancestor)
  }

  /// The content that a resolution leaves; nil where the record goes.
  func content(_ resolution: Resolution) -> RecordContent? {
    switch resolution.outcome {
    case .keepLocal: local
    case .adoptServer: server
    case .merged(let content): content
    case .delete: nil
    }
  }
}
