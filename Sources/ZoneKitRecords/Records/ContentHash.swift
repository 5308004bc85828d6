/// Names content by its bytes: the 128-bit FNV-1a hash as 32 hexadecimal digits. It detects accidental changes but not
/// attacks.
package enum ContentHash {
  /// The hash of those parts, in their order.
  package static func of(_ parts: [[UInt8]]) -> String {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for byte in parts.joined(separator: [0xFF]) {
      hash ^= UInt128(byte)
      hash = hash &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
    let digits = String(hash, radix: 16, uppercase: true)
    return String(repeating: "0", count: 32 - digits.utf8.count) + digits
  }
}
