import ZoneKitRecords

/// A seeded random number generator. The same seed gives the same numbers on every machine.
public struct Chance: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  /// A generator with that seed.
  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// The next 64 bits.
  public mutating func next() -> UInt64 { generator.next() }
}
