import ZoneKitSimulator

/// A random number generator whose seed decides every number, on every machine.
public struct Chance: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  /// The generator of that seed.
  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// The next 64 bits.
  public mutating func next() -> UInt64 { generator.next() }
}
