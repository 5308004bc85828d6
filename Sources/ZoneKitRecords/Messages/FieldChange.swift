/// The change of a field in a save.
public enum FieldChange: Hashable, Sendable {
  /// Set the field to this value. If the writer gave no type (`isTyped` is false), the type is a guess that the zone's
  /// schema may correct (CloudKit Web Services, b.4).
  case set(FieldValue, isTyped: Bool, isEncrypted: Bool)
  /// Remove the field.
  case clear
  /// The value does not fit its type. The sentence names what was expected.
  case malformed(String)
}
