/// Converts an account's name to the user record name in requests and answers.
public enum UserRecordName {
  /// The user record name: `_` and 32 hexadecimal digits (CloudKit Web Services, b.9). The digits are the 128-bit
  /// FNV-1a hash of the account's name, so every process computes the same one without a directory.
  public static func of(user: Name) -> Name {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for byte in user.text.utf8 {
      hash ^= UInt128(byte)
      hash = hash &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
    return Name(
      "_" + Hexadecimal.text(UInt64(truncatingIfNeeded: hash >> 64))
        + Hexadecimal.text(UInt64(truncatingIfNeeded: hash)))
  }
}
