import ZoneKitRecords

extension PushGateway {
  /// APNs's `apns-priority` (sync semantics, 2.3).
  package enum Priority: Int, Hashable, Sendable {
    /// A silent push, which the device may put off to save power.
    case low = 5
    /// The user sees or hears it.
    case immediate = 10

    /// The priority of a notification by what it carries.
    init(of notification: PushNotification) { self = notification.info.isVisible ? .immediate : .low }
  }
}
