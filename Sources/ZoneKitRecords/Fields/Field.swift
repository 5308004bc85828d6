/// A field of a record.
public struct Field: Hashable, Sendable {
  /// The field's name: a letter, then letters, digits and underscores.
  public var name: Name
  /// The field's value.
  public var value: FieldValue
  /// Whether the writer asked for encryption. The value is stored and has no effect.
  public var isEncrypted: Bool

  /// A field with that name and value.
  public init(name: Name, value: FieldValue, isEncrypted: Bool = false) {
    self.name = name
    self.value = value
    self.isEncrypted = isEncrypted
  }
}
