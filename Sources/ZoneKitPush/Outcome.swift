extension PushGateway {
  /// An outcome of a notification. `stored` and `held` are followed by another outcome.
  package enum Outcome: Hashable, Sendable {
    /// Not made, because the device itself made the change.
    case excludedOrigin
    /// Replaced by a newer one of the same turn, subscription and zone.
    case coalesced
    /// Written to the device's connection.
    case delivered
    /// Stored for a device that is not connected.
    case stored
    /// Held for a slow connection, or for the end of a burst.
    case held
    /// Discarded for that reason.
    case discarded(DiscardReason)
  }
}
