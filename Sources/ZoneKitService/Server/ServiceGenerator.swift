import ZoneKitRecords
import ZoneKitStorage

/// The random numbers of a service: those of the system, or those of a seed, which come again.
package enum ServiceGenerator: RandomNumberGenerator, Sendable {
  case system(SystemGenerator)
  case seeded(SplitMix64)

  /// The next number.
  package mutating func next() -> UInt64 {
    switch self {
    case .system(var generator): return generator.next()
    case .seeded(var generator):
      defer { self = .seeded(generator) }
      return generator.next()
    }
  }
}
