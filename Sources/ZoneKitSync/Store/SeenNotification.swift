import ZoneKitRecords

/// A notification ID that a device has seen, so that the same push again costs nothing.
public struct SeenNotification: Hashable, Sendable {
  /// The notification's ID.
  public var notificationID: String
  /// When it came, by the device's wall clock.
  public var receivedAt: WallTime

  /// An ID seen at that time.
  public init(notificationID: String, receivedAt: WallTime) {
    self.notificationID = notificationID
    self.receivedAt = receivedAt
  }
}
