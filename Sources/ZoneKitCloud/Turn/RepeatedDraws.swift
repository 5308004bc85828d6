/// A random generator that repeats the same numbers after `rewind`. A request that is evaluated twice gets the same
/// identifiers, even if the underlying generator cannot be copied.
struct RepeatedDraws<Generator: RandomNumberGenerator>: RandomNumberGenerator {
  /// The underlying generator.
  private(set) var generator: Generator
  private var drawn: [UInt64] = []
  private var position = 0

  /// A generator of the numbers of that generator.
  init(_ generator: Generator) { self.generator = generator }

  /// Starts again with the first number.
  mutating func rewind() { position = 0 }

  /// The next number: a repeated one, or a new one.
  mutating func next() -> UInt64 {
    if position == drawn.count { drawn.append(generator.next()) }
    defer { position += 1 }
    return drawn[position]
  }
}
