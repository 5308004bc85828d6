/// One entry of a zone's change feed.
public enum RecordChange: Hashable, Sendable {
  /// The record was created or saved. This is its latest state.
  case saved(Record)
  /// The record was deleted.
  case deleted(recordName: Name, changeTag: ChangeTag)

  /// The record of this entry.
  public var recordName: Name {
    switch self {
    case .saved(let record): record.recordName
    case .deleted(let recordName, _): recordName
    }
  }

  /// The change tag of the record's state or of its tombstone.
  package var changeTag: ChangeTag {
    switch self {
    case .saved(let record): record.changeTag
    case .deleted(_, let changeTag): changeTag
    }
  }
}
