/// What a subscription's notifications carry (CloudKit Web Services, b.8).
public struct NotificationInfo: Hashable, Sendable {
  /// The text shown to the user.
  public var alertBody: String?
  /// The key of a localised text.
  public var alertLocalizationKey: String?
  /// Names of record fields whose values fill the localised text.
  public var alertLocalizationArgs: [String]
  /// The key of the localised title of the action button.
  public var alertActionLocalizationKey: String?
  /// The name of an image shown while the app starts.
  public var alertLaunchImage: String?
  /// The name of a sound.
  public var soundName: String?
  /// The notification's category.
  public var category: String?
  /// Whether the app's badge counts the notification.
  public var shouldBadge: Bool
  /// Whether the notification wakes the app without showing anything.
  public var shouldSendContentAvailable: Bool

  /// What makes a push silent: content available and nothing for the user to see.
  public static let silent = NotificationInfo(shouldSendContentAvailable: true)

  /// Notifications that carry nothing but what is named here.
  public init(alertBody: String? = nil, shouldBadge: Bool = false, shouldSendContentAvailable: Bool = false) {
    self.alertBody = alertBody
    self.shouldBadge = shouldBadge
    self.shouldSendContentAvailable = shouldSendContentAvailable
    alertLocalizationArgs = []
  }

  /// Whether the notification shows or plays something; such a push has high priority (sync semantics, 2.1).
  public var isVisible: Bool {
    alertBody != nil || alertLocalizationKey != nil || soundName != nil || shouldBadge
  }
}
