import ZoneKitRecords

/// Changes bytes in the bodies of answers on their way to a device, as a broken or evil proxy does.
package struct AnswerDamage: Sendable {
  /// How many of 1,000 answers are changed.
  private let perMille: Int
  private var generator: SplitMix64
  /// The number of changed answers.
  package private(set) var count = 0

  /// Damage of that probability, drawn from the seed.
  package init(perMille: Int, seed: UInt64) {
    self.perMille = perMille
    generator = SplitMix64(seed: seed)
  }

  /// Changes a body, or leaves it as it is.
  mutating func change(_ body: inout [UInt8]) {
    guard !body.isEmpty, Int.random(in: 0..<1000, using: &generator) < perMille else { return }
    count += 1
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      let index = Int.random(in: body.indices, using: &generator)
      switch body[index] {
      // Most other changes make the body something that is no JSON.
      case UInt8(ascii: "0")...UInt8(ascii: "9"): body[index] = UInt8.random(in: 48...57, using: &generator)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
        body[index] = UInt8.random(in: 97...122, using: &generator)
      default: body[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
    }
  }
}
