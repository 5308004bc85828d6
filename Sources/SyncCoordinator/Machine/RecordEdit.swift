import Records

/// One edit that the app makes.
public enum RecordEdit: Hashable, Sendable {
  /// What becomes of the configured stamp field.
  public enum Stamping: Hashable, Sendable {
    /// The coordinator sets it; a stamp among the fields is ignored.
    case now
    /// The field is taken as it is, as an import does.
    case asGiven
  }

  /// Save the record with exactly these fields.
  case save(RecordID, type: Name, fields: Fields, parent: Name?, stamping: Stamping)
  /// Delete the record; one that is not there counts as deleted.
  case delete(RecordID)

  /// The record.
  public var recordID: RecordID {
    switch self {
    case .save(let recordID, _, _, _, _), .delete(let recordID): recordID
    }
  }
}
