/// What a device is doing about syncing.
public enum LiveState: String, CaseIterable, Hashable, Sendable {
  /// Nothing is under way and nobody wants a sync.
  case idle
  /// A sync is wanted and waits for others to join it.
  case debouncing
  /// The cloud is being asked for changes, or for what they need, such as the subscription.
  case fetching
  /// Local changes are on their way to the cloud.
  case sending
  /// A sync failed, and the next try is to come.
  case backingOff
  /// There is no link to the cloud, or nobody runs the device.
  case offline
  /// There is no account, or the cloud refuses it.
  case signedOut
}
