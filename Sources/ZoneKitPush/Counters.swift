extension PushGateway {
  /// The number of notifications with each outcome, counted per receiver. Between turns, `made` is the sum of
  /// `coalesced`, `delivered`, `stored`, `held` and all discarded ones.
  package struct Counters: Hashable, Sendable {
    /// Made for a receiver.
    package internal(set) var made = 0
    /// Not made, because the receiver itself made the change.
    package internal(set) var excludedOrigin = 0
    /// Replaced by a newer one of the same turn.
    package internal(set) var coalesced = 0
    /// Written to a connection.
    package internal(set) var delivered = 0
    /// Now stored for devices that are not connected.
    package internal(set) var stored = 0
    /// Now held for slow connections or for the end of a burst.
    package internal(set) var held = 0
    /// The number of registered tokens.
    package internal(set) var registrations = 0
    /// The number of connected watchers.
    package internal(set) var watchers = 0
    private var discarded: [DiscardReason: Int] = [:]

    /// The number of notifications discarded for that reason.
    package func discarded(_ reason: DiscardReason) -> Int { discarded[reason] ?? 0 }

    /// Every reason with its count, in alphabetical order, including those with a count of 0.
    package var discardedByReason: [(reason: DiscardReason, count: Int)] {
      DiscardReason.allCases.sorted().map { ($0, discarded($0)) }
    }

    mutating func add(_ count: Int, _ outcome: Outcome) {
      switch outcome {
      case .excludedOrigin: excludedOrigin += count
      case .coalesced: coalesced += count
      case .delivered: delivered += count
      case .stored: stored += count
      case .held: held += count
      case .discarded(let reason): discarded[reason, default: 0] += count
      }
    }
  }
}
