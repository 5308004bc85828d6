import ZoneKitRecords

/// The session of a device as its store has it, so that it goes on after a restart.
package struct StoredSession: Hashable, Sendable {
  /// The account.
  package var account: UUID
  /// The account's e-mail address.
  package var email: String
  /// The token with which the session is continued; nil if it is over.
  package var refresh: String?
  /// Why the session is over; nil if it is not.
  package var reason: String?

  /// The session of that account.
  package init(account: UUID, email: String, refresh: String?, reason: String? = nil) {
    self.account = account
    self.email = email
    self.refresh = refresh
    self.reason = reason
  }

  /// Reads the text that `text` made; nil for any other.
  package init?(_ text: String) {
    guard let json = try? JSON(parsing: Array(text.utf8)), let account = json["account"]?.string.flatMap({ UUID($0) }),
      let email = json["email"]?.string
    else { return nil }
    self.init(account: account, email: email, refresh: json["refresh"]?.string, reason: json["reason"]?.string)
  }

  /// The session as text.
  package var text: String {
    let json: JSON = [
      "account": .string(account.text), "email": .string(email), "refresh": refresh.map { .string($0) } ?? .null,
      "reason": reason.map { .string($0) } ?? .null,
    ]
    return json.text()
  }

  /// The key of the app value that holds it.
  package static let key = "session"
}
