/// A record in the cloud.
public struct Record: Hashable, Sendable {
  /// The record's name, unique within its zone.
  public var recordName: Name
  /// The record's type. It never changes.
  public var recordType: Name
  /// The record's content.
  public var fields: EncodedFields
  /// The change tag of the version.
  public var changeTag: ChangeTag
  /// The author and time of its creation.
  public var created: Authorship
  /// The author and time of its last save.
  public var modified: Authorship
  /// The parent record in a hierarchy that is shared as a whole.
  public var parent: Name?
  /// The share record that shares this record and all below it; nil if there is none.
  public var share: Name?

  /// A record with all its properties.
  public init(
    recordName: Name, recordType: Name, fields: EncodedFields, changeTag: ChangeTag, created: Authorship,
    modified: Authorship, parent: Name? = nil, share: Name? = nil
  ) {
    self.recordName = recordName
    self.recordType = recordType
    self.fields = fields
    self.changeTag = changeTag
    self.created = created
    self.modified = modified
    self.parent = parent
    self.share = share
  }
}
