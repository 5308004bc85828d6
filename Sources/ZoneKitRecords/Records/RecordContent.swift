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

  /// The same content without one field. Content without that field, content whose text cannot be read, and nil for the
  /// field's name leave it as it is.
  package func leavingOut(_ field: Name?) -> RecordContent {
    guard let field, var rest = try? fields.decoded(), rest[field] != nil else { return self }
    rest.remove(field)
    return RecordContent(fields: EncodedFields(rest), parent: parent)
  }
}
