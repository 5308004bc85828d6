import ZoneKitRecords

/// What is removed from a payload that is too long, in CloudKit's order (sync semantics, 2.2).
enum PruningStep: CaseIterable {
  /// ZoneKit's own extension is removed first, because CloudKit's payload does not have it.
  case tracing
  case container
  /// The fields that a query subscription asks for.
  case additionalFields
  /// The keys that only one kind of notification has: database scope and zone.
  case subject
  case sound
  case launchImage
  case actionKey
  case alertBody
  case alertArguments
  case alertKey
  case badge
  /// Not in CloudKit's list. It is removed before the notification ID, so that the ID is kept as long as possible.
  case category
  case notificationID

  /// Removes it from the notification, if it is present.
  func apply(to notification: inout PushNotification) {
    switch self {
    case .tracing:
      notification.committedAt = nil
      notification.sentAt = nil
    case .container: notification.container = nil
    case .additionalFields: notification.record?.fields = []
    case .subject:
      notification.scope = nil
      notification.zoneID = nil
    case .sound: notification.info.soundName = nil
    case .launchImage: notification.info.alertLaunchImage = nil
    case .actionKey: notification.info.alertActionLocalizationKey = nil
    case .alertBody:
      notification.info.alertBody = nil
      notification.info.title = nil
      notification.info.subtitle = nil
    case .alertArguments:
      notification.info.alertLocalizationArgs = []
      notification.info.titleLocalizationArgs = []
      notification.info.subtitleLocalizationArgs = []
    case .alertKey:
      notification.info.alertLocalizationKey = nil
      notification.info.titleLocalizationKey = nil
      notification.info.subtitleLocalizationKey = nil
    case .badge: notification.info.shouldBadge = false
    case .category: notification.info.category = nil
    case .notificationID: notification.notificationID = nil
    }
  }
}
