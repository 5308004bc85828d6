/// One notification as a device receives it (CloudKit Web Services, f.3).
public struct PushNotification: Hashable, Sendable {
  /// What the notification is about.
  public enum Subject: Hashable, Sendable {
    /// A zone subscription (`fet`).
    case zone
    /// A database subscription (`met`).
    case database
  }

  /// What the notification is about; nil where the push service had to drop it.
  public var subject: Subject?
  /// The notification's ID; nil where the push service had to drop it, which a device must expect (sync semantics, 2.2).
  public var notificationID: String?
  /// The container; nil where it was dropped.
  public var container: Name?
  /// The user record name of the receiver.
  public var userRecordName: Name?
  /// The subscription that matched.
  public var subscriptionID: String?
  /// Which kind of database changed.
  public var scope: DatabaseScope?
  /// The zone that changed.
  public var zoneID: ZoneID?
  /// What the notification shows or plays, and whether it wakes the app.
  public var info: NotificationInfo
  /// Whether anything was dropped to make the payload fit.
  public var isPruned: Bool
  /// When the change was committed, for tracing; an extension carried in `aux`.
  public var committedAt: WallTime?
  /// When the push service sent the notification, for tracing; an extension carried in `aux`.
  public var sentAt: WallTime?

  /// A notification of that subject with nothing else known.
  public init(subject: Subject? = nil, notificationID: String? = nil, info: NotificationInfo = .silent) {
    self.subject = subject
    self.notificationID = notificationID
    self.info = info
    isPruned = false
  }

  /// The most bytes that a payload may have (sync semantics, 2.3).
  public static let payloadLimit = 4096
}
