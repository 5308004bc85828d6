/// The 64-bit FNV-1a hash. It detects accidental changes but not forgery.
enum Fingerprint {
  /// The hash of the bytes, most significant byte first.
  static func of(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: hash >> UInt64($0)) }
  }
}
