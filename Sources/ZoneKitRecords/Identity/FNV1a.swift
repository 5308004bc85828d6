/// The 128-bit FNV-1a hash (draft-eastlake-fnv): equal in every process, and not meant against an attacker.
package enum FNV1a {
  /// The hash of a text's bytes.
  package static func hash(_ text: String) -> UInt128 { hash(Array(text.utf8)) }

  /// The hash of those bytes. It takes an array and no other sequence: code for any sequence is 40 times slower when
  /// another module calls it.
  package static func hash(_ bytes: [UInt8]) -> UInt128 {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for byte in bytes { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
    return hash
  }
}
