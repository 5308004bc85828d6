/// Converts an account's name to the user record name in requests and answers.
public enum UserRecordName {
  /// The user record name: `_` and 32 hexadecimal digits (CloudKit Web Services, b.9). The digits are a hash of the
  /// account's name, so every process computes the same one without a directory.
  public static func of(user: Name) -> Name { Name("_" + Hexadecimal.text(FNV1a.hash(user.text))) }
}
