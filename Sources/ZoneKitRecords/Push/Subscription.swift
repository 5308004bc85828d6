/// A subscription to changes, each of which makes a notification (CloudKit Web Services, b.8).
public struct Subscription: Hashable, Sendable {
  /// The changes that fire the subscription.
  public enum Kind: Hashable, Sendable {
    /// Any change in one custom zone.
    case zone(ZoneID)
    /// Any change in any custom zone of the database. An extension: the native SDK has it, the documentation of the web
    /// services does not.
    case database
    /// Changes of records that a query finds.
    case query(QuerySubscription)
  }

  /// What identifies a subscription in its database.
  public struct Key: Hashable, Comparable, Sendable {
    /// The subscription's ID.
    public var id: Name
    /// The account to which it belongs; nil for the database's own.
    public var user: Name?

    /// A subscription of that ID.
    public init(_ id: String, of user: Name? = nil) {
      self.id = Name(id)
      self.user = user
    }

    /// Orders subscriptions by their IDs, then by their accounts.
    public static func < (first: Key, second: Key) -> Bool {
      (first.id, first.user ?? "") < (second.id, second.user ?? "")
    }
  }

  /// The subscription's ID. The client chooses it, unique within the account's subscriptions of the database.
  public var subscriptionID: String
  /// The account to which it belongs, in a public database; nil for the account of the database.
  public var user: Name?
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

  /// What identifies it in its database.
  public var key: Key { Key(subscriptionID, of: user) }
}
