/// The content of a subscription's notifications (CloudKit Web Services, b.8).
public struct NotificationInfo: Hashable, Sendable {
  /// The text shown to the user.
  public var alertBody: String?
  /// The title above the text.
  public var title: String?
  /// The second line of the title.
  public var subtitle: String?
  /// The key of a localised title.
  public var titleLocalizationKey: String?
  /// The names of record fields whose values are inserted in the localised title.
  public var titleLocalizationArgs: [String] = []
  /// The key of a localised second line.
  public var subtitleLocalizationKey: String?
  /// The names of record fields whose values are inserted in the localised second line.
  public var subtitleLocalizationArgs: [String] = []
  /// The names of record fields that are copied into the notification of a query subscription.
  public var additionalFields: [String] = []
  /// The key of a localised alert text.
  public var alertLocalizationKey: String?
  /// The names of record fields whose values are inserted in the localised text.
  public var alertLocalizationArgs: [String]
  /// The key of the localised title of the action button.
  public var alertActionLocalizationKey: String?
  /// The name of an image that is shown while the app starts.
  public var alertLaunchImage: String?
  /// The name of a sound.
  public var soundName: String?
  /// The notification's category.
  public var category: String?
  /// Whether the notification increments the app's badge.
  public var shouldBadge: Bool
  /// Whether the notification wakes the app silently.
  public var shouldSendContentAvailable: Bool

  /// The content of a silent push: content available, and nothing visible.
  public static let silent = NotificationInfo(shouldSendContentAvailable: true)

  /// Content with these members only.
  public init(alertBody: String? = nil, shouldBadge: Bool = false, shouldSendContentAvailable: Bool = false) {
    self.alertBody = alertBody
    self.shouldBadge = shouldBadge
    self.shouldSendContentAvailable = shouldSendContentAvailable
    alertLocalizationArgs = []
  }

  /// Whether a change makes a notification. One that neither wakes the app nor shows or plays anything is not sent (sync
  /// semantics, 2.1).
  public var makesPush: Bool { isVisible || shouldSendContentAvailable }

  /// Whether the notification shows or plays something. Such a push has high priority (sync semantics, 2.1).
  public var isVisible: Bool {
    alertBody != nil || alertLocalizationKey != nil || title != nil || titleLocalizationKey != nil || soundName != nil
      || shouldBadge
  }
}
