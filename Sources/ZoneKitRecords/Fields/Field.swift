/// One field of a record: its name, its value, and whether the writer marked it as encrypted.
public struct Field: Hashable, Sendable {
  /// The field's name: a letter, then letters, digits and underscores.
  public var name: Name
  /// The field's value.
  public var value: FieldValue
  /// Whether the writer asked for encryption; carried along, not acted on.
  public var isEncrypted: Bool

  /// A field of that name and value.
  public init(name: Name, value: FieldValue, isEncrypted: Bool = false) {
    self.name = name
    self.value = value
    self.isEncrypted = isEncrypted
  }
}
