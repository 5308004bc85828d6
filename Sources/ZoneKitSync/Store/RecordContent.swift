import ZoneKitRecords

/// What an app put into a record: its fields and its place in a hierarchy. Two versions with equal content are one.
public struct RecordContent: Hashable, Sendable {
  /// The fields in canonical text.
  public var fields: EncodedFields
  /// The record above it in a hierarchy that is shared as one.
  public var parent: Name?

  /// Content of those fields.
  public init(fields: EncodedFields, parent: Name? = nil) {
    self.fields = fields
    self.parent = parent
  }
}
