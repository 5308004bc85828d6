import ZoneKitRecords

/// Whether the cloud can be used: the app is launched, there is a link, and the cloud refuses neither the account nor the
/// version of the app.
struct Availability: Hashable, Sendable {
  /// Whether there is a link.
  private(set) var isOnline = true
  /// Whether the app has been launched with its account. Earlier events, such as a push that started the app, wait for
  /// that.
  private var hasLaunched = false
  /// The error with which the cloud refuses the account or the version of the app; nil if it does not.
  private(set) var refusal: CloudError?

  /// Whether a sync may start.
  var allowsSync: Bool { hasLaunched && isOnline && refusal == nil }

  /// Whether the cloud refuses the account.
  var refusesAccount: Bool { refusal.map { $0.code != .incompatibleVersion } ?? false }

  /// Whether an error is such a refusal. No sync is tried again by itself then.
  static func isRefusal(_ error: CloudError) -> Bool {
    [.notAuthenticated, .authenticationFailed, .incompatibleVersion].contains(error.code)
  }

  /// The app was launched.
  mutating func launched() { hasLaunched = true }

  /// The link was lost or restored. Returns whether that is a change.
  mutating func linkChanged(isOnline: Bool) -> Bool {
    let isNew = self.isOnline != isOnline
    self.isOnline = isOnline
    return isNew
  }

  /// Such a refusal arrived.
  mutating func refused(_ error: CloudError) { refusal = error }

  /// Allows syncs again: another account signed in, or the user requested a sync.
  mutating func forgetRefusal() { refusal = nil }
}
