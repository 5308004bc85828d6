/// A random generator that first repeats the numbers of an earlier evaluation. A request that is evaluated twice gets the
/// same identifiers, even if the underlying generator cannot be copied.
struct RepeatedDraws<Generator: RandomNumberGenerator>: RandomNumberGenerator {
  /// The underlying generator. It is advanced for repeated numbers too, so that a copy of it repeats none of them later.
  private(set) var generator: Generator
  /// All numbers, in order.
  private(set) var drawn: [UInt64]
  private var position = 0

  /// A generator of those numbers, and of new ones of that generator after them.
  init(_ drawn: [UInt64], then generator: Generator) {
    self.drawn = drawn
    self.generator = generator
  }

  /// The next number: a repeated one, or a new one.
  mutating func next() -> UInt64 {
    let new = generator.next()
    if position == drawn.count { drawn.append(new) }
    defer { position += 1 }
    return drawn[position]
  }
}
