/// The cloud's message to the push service that something changed. It does not contain the change.
public struct Notice: Hashable, Sendable {
  /// The database that changed.
  public var database: DatabaseID
  /// The zone that changed.
  public var zoneID: ZoneID
  /// An uppercase UUID, shared by all notices of one change (CloudKit Web Services, f.2).
  public var notificationID: String
  /// The device that made the change and gets no push for it; nil if the request named none.
  public var originDeviceID: String?
  /// When the change was committed.
  public var committedAt: WallTime
  /// The zone and database subscriptions that the change matches.
  public var subscriptions: [Subscription]
  /// The query subscriptions that changes of records match, one entry for each record and subscription.
  public var matches: [Match] = []

  /// A change of a record that a query subscription matches.
  public struct Match: Hashable, Sendable {
    /// The subscription.
    public var subscription: Subscription
    /// The change of the record.
    public var record: RecordNotice

    /// A match of that subscription.
    public init(_ subscription: Subscription, _ record: RecordNotice) {
      self.subscription = subscription
      self.record = record
    }
  }

  /// A notice of a change in that zone.
  public init(
    database: DatabaseID, zoneID: ZoneID, notificationID: String, originDeviceID: String?, committedAt: WallTime,
    subscriptions: [Subscription]
  ) {
    self.database = database
    self.zoneID = zoneID
    self.notificationID = notificationID
    self.originDeviceID = originDeviceID
    self.committedAt = committedAt
    self.subscriptions = subscriptions
  }
}
