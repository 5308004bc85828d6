import ZoneKitRecords

/// How many notification IDs a device remembers, so that the same push again costs nothing, also after a restart.
enum NotificationRing {
  /// The most IDs that are remembered.
  static let countLimit = 1_000
  /// How long an ID is remembered, in milliseconds: seven days.
  static let ageLimit: Int64 = 7 * 86_400_000

  /// What a store keeps of the ring at that time.
  static func bounds(now: WallTime) -> DeviceTransition.Bounds {
    DeviceTransition.Bounds(notifications: countLimit, notificationsSince: now.advanced(byMilliseconds: -ageLimit))
  }
}
