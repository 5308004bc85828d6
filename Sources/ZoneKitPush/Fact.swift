extension PushGateway {
  /// What the journal is told.
  package enum Fact: Equatable, Sendable {
    /// A token was bound to an account.
    case registered(device: String, account: Account)
    /// A token came to its end.
    case unregistered(device: String)
    /// A token came to its end, for its device registered another one; the cloud need not keep it any more.
    case retired(device: String, token: String)
    /// A device or watcher is connected.
    case connected(device: String, watches: Bool)
    /// A device or watcher is gone.
    case disconnected(device: String)
    /// A hello was refused.
    case refused(CloseReason)
    /// What became of a notification.
    case handled(Handling)
  }
}
