/// A subscription to changes, each of which makes a notification (CloudKit Web Services, b.8).
public struct Subscription: Hashable, Sendable {
  /// The changes that fire the subscription. Query subscriptions are not implemented.
  public enum Kind: Hashable, Sendable {
    /// Any change in one custom zone.
    case zone(ZoneID)
    /// Any change in any custom zone of the database. An extension: the native SDK has it, the documentation of the web
    /// services does not.
    case database
  }

  /// The subscription's ID. The client chooses it, unique within the database.
  public var subscriptionID: String
  /// The changes that fire the subscription.
  public var kind: Kind
  /// The content of its notifications. Without it the subscription makes no pushes (sync semantics, 2.1).
  public var notificationInfo: NotificationInfo?
  /// Whether the subscription is removed after its first notification.
  public var firesOnce: Bool

  /// A subscription with that ID.
  public init(
    subscriptionID: String, kind: Kind, notificationInfo: NotificationInfo?, firesOnce: Bool = false
  ) {
    self.subscriptionID = subscriptionID
    self.kind = kind
    self.notificationInfo = notificationInfo
    self.firesOnce = firesOnce
  }
}
