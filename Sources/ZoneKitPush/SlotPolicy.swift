extension PushGateway {
  /// Which notification is kept in the single slot of a device that is not connected. APNs guarantees none of these;
  /// usually it keeps the newest (sync semantics, 2.3).
  package enum SlotPolicy: String, CaseIterable, Hashable, Sendable {
    /// The last one.
    case newest
    /// The first one. Later ones are dropped until it expires or is delivered.
    case oldest
    /// Any of them, with equal probability.
    case random
  }
}
