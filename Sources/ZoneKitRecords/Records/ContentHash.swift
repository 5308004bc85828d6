/// Names content by its bytes: the 128-bit FNV-1a hash as 32 hexadecimal digits. It detects accidental changes but not
/// attacks.
package enum ContentHash {
  /// The hash of those parts, in their order.
  package static func of(_ parts: [[UInt8]]) -> String {
    Hexadecimal.text(FNV1a.hash(Array(parts.joined(separator: [0xFF])))).uppercased()
  }
}
