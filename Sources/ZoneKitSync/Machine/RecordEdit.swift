import ZoneKitRecords

/// An edit by the app.
public enum RecordEdit: Hashable, Sendable {
  /// How the configured stamp field is set.
  public enum Stamping: Hashable, Sendable {
    /// The coordinator sets it. A stamp in the given fields is ignored.
    case now
    /// The coordinator sets it, and these fields to the same time, such as the time of a deletion. Their values in the
    /// given fields are ignored.
    case nowAlso([Name])
    /// The given value is kept, as for an import.
    case asGiven
  }

  /// Save the record with exactly these fields.
  case save(RecordID, type: Name, fields: Fields, parent: Name?, stamping: Stamping)
  /// Replace a record's fields, because they violate a rule of the app, such as two running actions after a merge. The
  /// stamp in the given fields is kept. The replaced version is written once to the conflict journal of all devices,
  /// with the rule's name. A record that does not exist is not created.
  case repair(RecordID, type: Name, fields: Fields, parent: Name?, rule: String)
  /// Delete the record. A record that does not exist counts as deleted.
  case delete(RecordID)

  /// The record.
  public var recordID: RecordID {
    switch self {
    case .save(let recordID, _, _, _, _), .repair(let recordID, _, _, _, _), .delete(let recordID): recordID
    }
  }
}
