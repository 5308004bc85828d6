/// Draws from a generator, and draws the same numbers again after `rewind`: a request that is evaluated twice gets the same
/// identifiers, also from a generator that cannot be copied in its state.
struct RepeatedDraws<Generator: RandomNumberGenerator>: RandomNumberGenerator {
  /// The generator, behind the numbers that were drawn.
  private(set) var generator: Generator
  private var drawn: [UInt64] = []
  private var position = 0

  /// Draws from that generator.
  init(_ generator: Generator) { self.generator = generator }

  /// Begins again with the first number.
  mutating func rewind() { position = 0 }

  /// The next number: one that was drawn before, or a new one.
  mutating func next() -> UInt64 {
    if position == drawn.count { drawn.append(generator.next()) }
    defer { position += 1 }
    return drawn[position]
  }
}
