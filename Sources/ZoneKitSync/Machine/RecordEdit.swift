import ZoneKitRecords

/// One edit that the app makes.
public enum RecordEdit: Hashable, Sendable {
  /// How the configured stamp field is set.
  public enum Stamping: Hashable, Sendable {
    /// The coordinator sets it; a stamp among the fields is ignored.
    case now
    /// The field is taken as it is, as an import does.
    case asGiven
  }

  /// Save the record with exactly these fields.
  case save(RecordID, type: Name, fields: Fields, parent: Name?, stamping: Stamping)
  /// Put these fields in the place of what an app rule says must not be, such as two running actions after a merge. The
  /// stamp is taken as it is; the replaced version goes to the conflict journal of all devices under the rule's name, once.
  /// A record that is not there stays away.
  case repair(RecordID, type: Name, fields: Fields, parent: Name?, rule: String)
  /// Delete the record; one that is not there counts as deleted.
  case delete(RecordID)

  /// The record.
  public var recordID: RecordID {
    switch self {
    case .save(let recordID, _, _, _, _), .repair(let recordID, _, _, _, _), .delete(let recordID): recordID
    }
  }
}
