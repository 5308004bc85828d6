import ZoneKitCCrypto
import ZoneKitRecords
import struct ZoneKitStorage.SystemGenerator
import ZoneKitTableServer

/// Hashes passwords with scrypt (RFC 7914), which takes about 40 ms and 16 MiB on purpose.
enum PasswordHash {
  /// The number of iterations, of which memory and time are multiples.
  private static let cost: UInt64 = 16_384
  private static let blockSize: UInt64 = 8
  private static let parallelization: UInt64 = 1
  private static let length = 32
  private static let saltLength = 16
  /// The most memory that one hash may take, in bytes.
  private static let memoryLimit: UInt64 = 64 << 20

  /// The record of a new password, with a salt of its own.
  static func record(of password: String) -> PasswordRecord {
    var generator = SystemGenerator()
    let salt = RandomIdentifier.bytes(saltLength, using: &generator)
    return PasswordRecord(hash: Base64.encode(derive(password, salt: salt)), salt: Base64.encode(salt))
  }

  /// A record that no password fits, to compare one with that is not known: that takes as long.
  static func recordOfNone() -> PasswordRecord {
    var generator = SystemGenerator()
    let salt = RandomIdentifier.bytes(saltLength, using: &generator)
    return PasswordRecord(hash: Base64.encode([UInt8](repeating: 0, count: length)), salt: Base64.encode(salt))
  }

  /// Whether a password is the recorded one.
  static func isRight(_ password: String, for record: PasswordRecord) -> Bool {
    guard let salt = Base64.decode(record.salt), let hash = Base64.decode(record.hash) else { return false }
    return ConstantTime.areEqual(derive(password, salt: salt), hash)
  }

  static func derive(_ password: String, salt: [UInt8]) -> [UInt8] {
    let bytes = Array(password.utf8)
    var key = [UInt8](repeating: 0, count: length)
    let status = bytes.withUnsafeBytes { password in
      EVP_PBE_scrypt(
        password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt, salt.count, cost, blockSize,
        parallelization, memoryLimit, &key, length)
    }
    precondition(status == 1, "libcrypto computes scrypt with these fixed parameters")
    return key
  }
}
