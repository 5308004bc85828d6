import ZoneKitRecords

/// What survives a power cut of that which was not synced.
enum Survival: Hashable, Sendable {
  /// Nothing.
  case nothing
  /// Everything.
  case everything
  /// By chance: of some files everything, of some nothing, and of some any sectors, the last of them torn.
  case chance(seed: UInt64)
}

/// Decides of one file or of the names of a folder what survives.
struct SurvivalChoice {
  /// The decision about one change of one sector, length or name. What is lost loses all later changes too.
  enum Fate {
    case kept, lost
    /// Only a part of the bytes is kept.
    case torn
  }

  private let lossPercent: UInt64
  private var generator: SplitMix64

  /// The choice for the file or folder with that number.
  init(_ survival: Survival, number: Int) {
    switch survival {
    case .nothing: (lossPercent, generator) = (100, SplitMix64(seed: 0))
    case .everything: (lossPercent, generator) = (0, SplitMix64(seed: 0))
    case .chance(let seed):
      var generator = SplitMix64(seed: seed &* 0x9E37_79B9 &+ UInt64(bitPattern: Int64(number)))
      lossPercent = [0, 10, 50, 50, 90, 100][Int(generator.next() % 6)]
      self.generator = generator
    }
  }

  /// The next decision.
  mutating func next() -> Fate {
    switch lossPercent {
    case 0: return .kept
    case 100: return .lost
    default:
      guard generator.next() % 100 < lossPercent else { return .kept }
      return generator.next() % 4 == 0 ? .torn : .lost
    }
  }

  /// A number below that limit, for the place of a tear.
  mutating func number(below limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }
}
