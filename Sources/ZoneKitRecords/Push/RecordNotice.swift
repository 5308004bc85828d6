/// The change of a record that fired a query subscription (CloudKit Web Services, f.3: `qry`).
public struct RecordNotice: Hashable, Sendable {
  /// What happened to the record.
  public var change: RecordChangeKind
  /// The record's name.
  public var recordName: Name
  /// The additional fields that the subscription asks for, as far as the record has them, in the order asked for.
  public var fields: [NamedValue]

  /// A value of a field.
  public struct NamedValue: Hashable, Sendable {
    /// The field's name.
    public var name: Name
    /// The value.
    public var value: FieldValue

    /// A value of that field.
    public init(_ name: Name, _ value: FieldValue) {
      self.name = name
      self.value = value
    }
  }

  /// A change of that record.
  public init(_ change: RecordChangeKind, of recordName: Name, fields: [NamedValue] = []) {
    self.change = change
    self.recordName = recordName
    self.fields = fields
  }
}

/// A kind of change of a record, with its word in `firesOn` (CloudKit Web Services, b.8).
public enum RecordChangeKind: String, CaseIterable, Hashable, Sendable {
  /// The record was created.
  case create
  /// The record was saved again.
  case update
  /// The record was deleted.
  case delete

  /// The number in a payload (CloudKit Web Services, f.3: `fo`).
  package var pushNumber: Int64 {
    switch self {
    case .create: 1
    case .update: 2
    case .delete: 3
    }
  }
}
