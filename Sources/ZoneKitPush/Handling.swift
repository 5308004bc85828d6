import ZoneKitRecords

extension PushGateway {
  /// What became of one notification for some devices.
  package struct Handling: Equatable, Sendable {
    /// What became of it.
    package var outcome: Outcome
    /// The notification's ID; nil where it has none.
    package var notificationID: String?
    /// The subscription that matched.
    package var subscriptionID: String?
    /// The zone that changed; nil where that was pruned away.
    package var zoneID: ZoneID?
    /// When the change was committed.
    package var committedAt: WallTime?
    /// How urgent it is for the device.
    package var priority: Priority
    /// The devices; a token stands for a device that has no name.
    package var devices: [String]

    init(_ notification: PushNotification, _ outcome: Outcome, devices: [String]) {
      self.outcome = outcome
      notificationID = notification.notificationID
      subscriptionID = notification.subscriptionID
      zoneID = notification.zoneID
      committedAt = notification.committedAt
      priority = Priority(of: notification)
      self.devices = devices
    }
  }
}
