import ZoneKitRecords

/// The limits of the notification IDs that a device remembers. A push with a known ID causes no fetch, also after a
/// restart.
enum NotificationRing {
  /// The most IDs that are remembered.
  static let countLimit = 1_000
  /// How long an ID is remembered, in milliseconds: seven days.
  static let ageLimit: Int64 = 7 * 86_400_000

  /// The bounds for the store at that time.
  static func bounds(now: WallTime) -> DeviceTransition.Bounds {
    DeviceTransition.Bounds(notifications: countLimit, notificationsSince: now.advanced(byMilliseconds: -ageLimit))
  }
}
