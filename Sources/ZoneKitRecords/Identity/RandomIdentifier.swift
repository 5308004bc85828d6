/// Makes identifiers with the caller's random generator, so that the seed determines them in the simulator.
public enum RandomIdentifier {
  /// A version 4 UUID in uppercase (RFC 9562, 5.4), the form of record names and notification IDs.
  public static func uuid(using generator: inout some RandomNumberGenerator) -> String {
    UUID(using: &generator).text(isUppercase: true)
  }

  /// That many random bytes.
  public static func bytes(_ count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
