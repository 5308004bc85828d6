import ZoneKitRecords

extension PushGateway {
  /// APNs's `apns-priority` (sync semantics, 2.3).
  package enum Priority: Int, Hashable, Sendable {
    /// A silent push. The device may delay it to save power.
    case low = 5
    /// A push that the user sees or hears.
    case immediate = 10

    /// The priority that follows from the content of a notification.
    init(of notification: PushNotification) { self = notification.info.isVisible ? .immediate : .low }
  }
}
