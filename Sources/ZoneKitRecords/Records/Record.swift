/// A record as the cloud holds it.
public struct Record: Hashable, Sendable {
  /// The record's name, unique within its zone.
  public var recordName: Name
  /// The record's type, which never changes.
  public var recordType: Name
  /// The record's content.
  public var fields: EncodedFields
  /// The record's version.
  public var changeTag: ChangeTag
  /// Who created it, and when.
  public var created: Authorship
  /// Who saved it last, and when.
  public var modified: Authorship
  /// The record above it in a hierarchy that is shared as one.
  public var parent: Name?

  /// A record with all that the cloud knows of it.
  public init(
    recordName: Name, recordType: Name, fields: EncodedFields, changeTag: ChangeTag, created: Authorship,
    modified: Authorship, parent: Name? = nil
  ) {
    self.recordName = recordName
    self.recordType = recordType
    self.fields = fields
    self.changeTag = changeTag
    self.created = created
    self.modified = modified
    self.parent = parent
  }
}
