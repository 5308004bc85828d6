/// A device's activity with respect to syncing.
public enum LiveState: String, CaseIterable, Hashable, Sendable {
  /// No sync is running or requested.
  case idle
  /// A sync is requested and waits for further requests.
  case debouncing
  /// The device fetches changes, or prepares for that, for example by checking the subscription.
  case fetching
  /// The device sends local changes.
  case sending
  /// A sync failed, and the next attempt is scheduled.
  case backingOff
  /// The device runs and has no link.
  case offline
  /// No account is signed in, or the cloud refuses it.
  case signedOut
  /// The device does not run. What is known comes from its file.
  case notRunning
}
