import ZoneKitRecords

/// Two different versions of a record that were made independently. At most one of them is a deletion.
public struct Conflict: Hashable, Sendable {
  /// The record.
  public var recordID: RecordID
  /// The record's type.
  public var recordType: Name
  /// The version of this device; nil if it deleted the record.
  public var local: RecordContent?
  /// The version of the cloud; nil if the record was deleted there.
  public var server: RecordContent?
  /// The last version that both sides had; nil if both created the record.
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
