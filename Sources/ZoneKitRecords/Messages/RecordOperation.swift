/// One operation of a `modifyRecords` request (CloudKit Web Services, c.1).
public struct RecordOperation: Hashable, Sendable {
  /// The kind of an operation, with its condition on the present record.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Save a record that does not exist yet.
    case create
    /// Save the named fields if the change tag is the current one.
    case update
    /// Save the named fields, with any change tag.
    case forceUpdate
    /// Save all fields and remove those not named, if the change tag is the current one.
    case replace
    /// Save all fields and remove those not named, with any change tag.
    case forceReplace
    /// Delete the record if the change tag is the current one or missing.
    case delete
    /// Delete the record, with any change tag. A record that does not exist counts as deleted.
    case forceDelete
  }

  /// The change of a record's parent.
  public enum ParentChange: Hashable, Sendable {
    /// Keep the parent; a new or replaced record has none.
    case keep
    /// Set the parent to the record of that name.
    case set(Name)
    /// Remove the parent.
    case clear
  }

  /// The kind of the operation.
  public var kind: Kind
  /// The record; nil to let the cloud make a name, which is allowed only for a create.
  public var recordName: Name?
  /// The record's type, required to create a record.
  public var recordType: Name?
  /// The change tag of the version that the writer has seen.
  public var changeTag: ChangeTag?
  /// The changes of fields, in ascending order of names, each name once.
  public var fields: [NamedFieldChange]
  /// The change of the parent.
  public var parent: ParentChange
  /// The change of a share, if the record is one.
  public var share: ShareChange?
  /// The number of the writer's last change of the record. A cloud that decides conflicts itself recognises a repeated
  /// operation by it. Nil where the cloud does not need it; CloudKit has no such number.
  public var revision: Int64?

  /// An operation on a record. `fields` are sorted here; of several with one name the last one counts.
  public init(
    _ kind: Kind, recordName: Name?, recordType: Name? = nil, changeTag: ChangeTag? = nil,
    fields: [NamedFieldChange] = [], parent: ParentChange = .keep, share: ShareChange? = nil
  ) {
    self.kind = kind
    self.recordName = recordName
    self.recordType = recordType
    self.changeTag = changeTag
    self.parent = parent
    self.share = share
    self.fields = []
    for change in fields.enumerated().sorted(by: { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }) {
      if self.fields.last?.name == change.element.name { self.fields.removeLast() }
      self.fields.append(change.element)
    }
  }
}

/// The change of a named field in a save.
public struct NamedFieldChange: Hashable, Sendable {
  /// The field's name.
  public var name: Name
  /// The change of the field.
  public var change: FieldChange

  /// A change of that field.
  public init(_ name: Name, _ change: FieldChange) {
    self.name = name
    self.change = change
  }
}
