/// How often something has to have happened, or how many there have to be.
package enum Quantity: Hashable, Sendable {
  case exactly(Int)
  case atMost(Int)
  case atLeast(Int)

  /// Whether the number is one of those meant.
  package func allows(_ number: Int) -> Bool {
    switch self {
    case .exactly(let wanted): number == wanted
    case .atMost(let limit): number <= limit
    case .atLeast(let limit): number >= limit
    }
  }

  /// The words that read as this.
  package var text: String {
    switch self {
    case .exactly(let number): String(number)
    case .atMost(let number): "at most \(number)"
    case .atLeast(let number): "at least \(number)"
    }
  }
}

/// To how many of the things that come a fault is done.
package enum FaultCount: Hashable, Sendable {
  /// The next so many, at least 1.
  case next(Int)
  /// All, until the fault is taken back.
  case every

  func text(_ one: String, _ many: String) -> String {
    switch self {
    case .next(1): "the next \(one)"
    case .next(let count): "the next \(count) \(many)"
    case .every: "every \(one)"
    }
  }
}
