import ZoneKitRecords

/// Whether the cloud can be asked: the app runs, there is a link, and the cloud does not refuse the account.
struct Availability: Hashable, Sendable {
  /// Whether there is a link.
  private(set) var isOnline = true
  /// Whether the app has named its account. What comes before that, such as a push that started the app, waits for it.
  private var hasLaunched = false
  /// Why the cloud refuses the account; nil while it does not.
  private(set) var refusal: CloudError?

  /// Whether a sync may start.
  var allowsSync: Bool { hasLaunched && isOnline && refusal == nil }

  /// The app has named its account.
  mutating func launched() { hasLaunched = true }

  /// The link went down or came back. Returns whether that is new.
  mutating func linkChanged(isOnline: Bool) -> Bool {
    let isNew = self.isOnline != isOnline
    self.isOnline = isOnline
    return isNew
  }

  /// The cloud refused the account.
  mutating func refused(_ error: CloudError) { refusal = error }

  /// The cloud may be asked again: another account signed in, or the user wants it.
  mutating func forgetRefusal() { refusal = nil }
}
