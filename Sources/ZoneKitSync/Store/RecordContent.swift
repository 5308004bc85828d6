import ZoneKitRecords

/// The content that an app gives a record: its fields and its parent. Two versions with equal content count as the
/// same.
public struct RecordContent: Hashable, Sendable {
  /// The fields as canonical text.
  public var fields: EncodedFields
  /// The parent record in a hierarchy that is shared as a whole.
  public var parent: Name?

  /// Content of those fields.
  public init(fields: EncodedFields, parent: Name? = nil) {
    self.fields = fields
    self.parent = parent
  }
}
