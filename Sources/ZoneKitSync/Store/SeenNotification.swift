import ZoneKitRecords

/// A notification ID that a device has received. A push with a known ID causes no fetch.
public struct SeenNotification: Hashable, Sendable {
  /// The notification's ID.
  public var notificationID: String
  /// When it was received, by the device's wall clock.
  public var receivedAt: WallTime

  /// An ID received at that time.
  public init(notificationID: String, receivedAt: WallTime) {
    self.notificationID = notificationID
    self.receivedAt = receivedAt
  }
}
