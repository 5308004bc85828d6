/// Makes identifiers with the caller's random generator, so that the seed determines them in the simulator.
public enum RandomIdentifier {
  /// A version 4 UUID in uppercase (RFC 9562, 5.4), the form of record names and notification IDs.
  public static func uuid(using generator: inout some RandomNumberGenerator) -> String {
    let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = Array((Hexadecimal.text(high, isUppercase: true) + Hexadecimal.text(low, isUppercase: true)).utf8)
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return parts.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
  }

  /// That many random bytes.
  public static func bytes(_ count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
