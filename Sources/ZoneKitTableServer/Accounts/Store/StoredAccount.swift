import ZoneKitRecords
import ZoneKitTables

/// An account with its password, as a store keeps it.
package struct StoredAccount: Equatable, Sendable {
  /// The account without its password.
  package var account: Account
  /// The password; nil if nobody can sign in with one.
  package var password: PasswordRecord?

  /// An account with that password.
  package init(_ account: Account, password: PasswordRecord?) {
    self.account = account
    self.password = password
  }
}

/// What is kept of a password: a salted hash. The machine compares nothing in it.
package struct PasswordRecord: Hashable, Sendable {
  /// The hash as text.
  package var hash: String
  /// The salt as text.
  package var salt: String

  /// A record.
  package init(hash: String, salt: String) {
    self.hash = hash
    self.salt = salt
  }
}
