/// A notification as a device receives it (CloudKit Web Services, f.3).
public struct PushNotification: Hashable, Sendable {
  /// The kind of subscription to which the notification belongs.
  public enum Subject: Hashable, Sendable {
    /// A zone subscription (`fet`).
    case zone
    /// A database subscription (`met`).
    case database
    /// A query subscription (`qry`).
    case query
  }

  /// The kind of subscription; nil if the push service pruned it.
  public var subject: Subject?
  /// The notification ID; nil if the push service pruned it, which a device must expect (sync semantics, 2.2).
  public var notificationID: String?
  /// The container; nil if it was pruned.
  public var container: Name?
  /// The user record name of the receiver.
  public var userRecordName: Name?
  /// The subscription that matched.
  public var subscriptionID: String?
  /// The scope of the database that changed.
  public var scope: DatabaseScope?
  /// The zone that changed.
  public var zoneID: ZoneID?
  /// The change of a record that fired a query subscription; nil for other subscriptions.
  public var record: RecordNotice?
  /// The visible content, and whether the notification wakes the app.
  public var info: NotificationInfo
  /// Whether something was removed to make the payload fit.
  public var isPruned: Bool
  /// When the change was committed, for tracing. An extension in `aux`.
  public var committedAt: WallTime?
  /// When the push service sent the notification, for tracing. An extension in `aux`.
  public var sentAt: WallTime?

  /// The device that made the change, as its requests name it; nil if it is unknown. It is not in the payload.
  package var originDeviceID: String?
  /// The JSON text of a payload that somebody gave by hand. It is sent as it is, whatever the other properties say; nil for
  /// a notification of a change.
  package var payload: [UInt8]?

  /// A notification without further content.
  public init(subject: Subject? = nil, notificationID: String? = nil, info: NotificationInfo = .silent) {
    self.subject = subject
    self.notificationID = notificationID
    self.info = info
    isPruned = false
  }

  /// The most bytes of a payload (sync semantics, 2.3).
  public static let payloadLimit = 4096
}
