/// One operation of a `modifyRecords` request (CloudKit Web Services, c.1).
public struct RecordOperation: Hashable, Sendable {
  /// What to do, and what must be true of the record for it to be done.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Save a record that does not exist yet.
    case create
    /// Save the named fields if the tag is the current one.
    case update
    /// Save the named fields, without looking at the tag.
    case forceUpdate
    /// Save all fields, dropping those not named, if the tag is the current one.
    case replace
    /// Save all fields, dropping those not named, without looking at the tag.
    case forceReplace
    /// Delete the record if the tag, where one is given, is the current one.
    case delete
    /// Delete the record without looking at the tag; one that is not there counts as deleted.
    case forceDelete
  }

  /// What to say about a record's parent.
  public enum ParentChange: Hashable, Sendable {
    /// Leave it as it is (none, for a new or replaced record).
    case keep
    /// Make the record of that name the parent.
    case set(Name)
    /// Remove the parent.
    case clear
  }

  /// What to do.
  public var kind: Kind
  /// The record; nil asks the cloud to make up a name, which only a create may.
  public var recordName: Name?
  /// The record's type; needed where a record is created.
  public var recordType: Name?
  /// The version that the writer has seen.
  public var changeTag: ChangeTag?
  /// What the save says about fields, ascending by name, each name once.
  public var fields: [NamedFieldChange]
  /// What the save says about the parent.
  public var parent: ParentChange

  /// An operation on a record; `fields` are put in order here, the later one counting where a name comes twice.
  public init(
    _ kind: Kind, recordName: Name?, recordType: Name? = nil, changeTag: ChangeTag? = nil,
    fields: [NamedFieldChange] = [], parent: ParentChange = .keep
  ) {
    self.kind = kind
    self.recordName = recordName
    self.recordType = recordType
    self.changeTag = changeTag
    self.parent = parent
    self.fields = []
    for change in fields.enumerated().sorted(by: { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }) {
      if self.fields.last?.name == change.element.name { self.fields.removeLast() }
      self.fields.append(change.element)
    }
  }
}

/// What a save says about the field of that name.
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
