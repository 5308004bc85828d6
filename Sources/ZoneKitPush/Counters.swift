extension PushGateway {
  /// How many notifications had which fate, counted for each receiver. Between turns, `made` is the sum of `coalesced`,
  /// `delivered`, `stored`, `held` and all that was discarded.
  package struct Counters: Hashable, Sendable {
    /// Made for a receiver.
    package internal(set) var made = 0
    /// Not made, for the receiver made the change.
    package internal(set) var excludedOrigin = 0
    /// Merged into a newer one of the same turn.
    package internal(set) var coalesced = 0
    /// Written to a connection.
    package internal(set) var delivered = 0
    /// Stored for a device that is away, now.
    package internal(set) var stored = 0
    /// Held for a connection that is slow, or for the end of a burst, now.
    package internal(set) var held = 0
    /// Tokens that are registered, now.
    package internal(set) var registrations = 0
    /// Watchers that are connected, now.
    package internal(set) var watchers = 0
    private var discarded: [DiscardReason: Int] = [:]

    /// Discarded for that reason.
    package func discarded(_ reason: DiscardReason) -> Int { discarded[reason] ?? 0 }

    /// Every reason with its count, in alphabetical order, those without any included.
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
