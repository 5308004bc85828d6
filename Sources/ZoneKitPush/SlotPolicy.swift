extension PushGateway {
  /// Which notification the one slot of a device that is away keeps. APNs promises none of these; the newest is what it
  /// usually does (sync semantics, 2.3).
  package enum SlotPolicy: String, CaseIterable, Hashable, Sendable {
    /// The one that came last.
    case newest
    /// The one that came first; later ones are dropped until it expires or is delivered.
    case oldest
    /// Any of them, each as likely as another.
    case random
  }
}
