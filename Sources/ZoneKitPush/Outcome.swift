extension PushGateway {
  /// What can become of a notification; `stored` and `held` are followed by another outcome.
  package enum Outcome: Hashable, Sendable {
    /// It was not made, for the device made the change itself.
    case excludedOrigin
    /// A newer one of the same turn, subscription and zone stands for it.
    case coalesced
    /// It was written to the device's connection.
    case delivered
    /// It waits for a device that is away.
    case stored
    /// It waits for a connection that is slow, or for the end of its burst.
    case held
    /// It was dropped.
    case discarded(DiscardReason)
  }
}
