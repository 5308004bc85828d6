import ZoneKitRecords

/// Two versions of a record that were made apart, with different content; at most one of them is a deletion.
public struct Conflict: Hashable, Sendable {
  /// The record.
  public var recordID: RecordID
  /// The record's type.
  public var recordType: Name
  /// The version of this device; nil where it deleted the record.
  public var local: RecordContent?
  /// The version of the cloud; nil where the record was deleted there.
  public var server: RecordContent?
  /// The last version that both sides had seen; nil where each made the record anew.
  public var ancestor: RecordContent?

  /// A conflict between those versions.
  public init(
    recordID: RecordID, recordType: Name, local: RecordContent?, server: RecordContent?, ancestor: RecordContent?
  ) {
    self.recordID = recordID
    self.recordType = recordType
    self.local = local
    self.server = server
    self.ancestor = ancestor
  }
}
