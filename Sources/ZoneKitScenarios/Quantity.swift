/// An expected number: exact, at most or at least.
package enum Quantity: Hashable, Sendable {
  case exactly(Int)
  case atMost(Int)
  case atLeast(Int)

  /// Whether the number is as expected.
  package func allows(_ number: Int) -> Bool {
    switch self {
    case .exactly(let wanted): number == wanted
    case .atMost(let limit): number <= limit
    case .atLeast(let limit): number >= limit
    }
  }

  /// The text from which the parser makes this value.
  package var text: String {
    switch self {
    case .exactly(let number): String(number)
    case .atMost(let number): "at most \(number)"
    case .atLeast(let number): "at least \(number)"
    }
  }
}

/// The number of following requests or pushes to which a fault applies.
package enum FaultCount: Hashable, Sendable {
  /// The next ones, at least 1.
  case next(Int)
  /// All, until the fault ends.
  case every
}
