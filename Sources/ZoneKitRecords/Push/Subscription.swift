/// A request for a notification of each change (CloudKit Web Services, b.8).
public struct Subscription: Hashable, Sendable {
  /// Which changes it is about. Query subscriptions come with queries.
  public enum Kind: Hashable, Sendable {
    /// Any change in one custom zone.
    case zone(ZoneID)
    /// Any change in any custom zone of the database; an extension that the native SDK has and the web documents do not.
    case database
  }

  /// The subscription's name, chosen by the client, unique within the database.
  public var subscriptionID: String
  /// Which changes it is about.
  public var kind: Kind
  /// What the notifications carry; without one there is a subscription but no push (sync semantics, 2.1).
  public var notificationInfo: NotificationInfo?
  /// Whether the subscription goes away with its first notification.
  public var firesOnce: Bool

  /// A subscription of that name.
  public init(
    subscriptionID: String, kind: Kind, notificationInfo: NotificationInfo?, firesOnce: Bool = false
  ) {
    self.subscriptionID = subscriptionID
    self.kind = kind
    self.notificationInfo = notificationInfo
    self.firesOnce = firesOnce
  }
}
