/// What a save says about one field.
public enum FieldChange: Hashable, Sendable {
  /// The field gets this value. Where the writer named no type (`isTyped` false) the value's own type is a guess that the
  /// zone's schema may correct (CloudKit Web Services, b.4).
  case set(FieldValue, isTyped: Bool, isEncrypted: Bool)
  /// The field is taken away.
  case clear
  /// The value does not fit the type it names; the sentence says what was expected.
  case malformed(String)
}
