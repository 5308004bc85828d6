import ZoneKitRecords
import ZoneKitTables

/// A request to the accounts whose passwords and tokens are verified. Cryptography is not part of the machine.
package enum AccountEvent: Equatable, Sendable {
  /// Somebody at a network address wants to sign in. `matching` is the record with which the password was compared and
  /// that it equals; nil if it equals none. The account may have another password by now.
  case signIn(email: String, matching: PasswordRecord?, from: String, FreshToken)
  /// Somebody at a network address wants an account with that password.
  case signUp(email: String, PasswordRecord, metadata: [JSON.Member], from: String, FreshToken)
  /// Somebody wants to continue the session of a refresh token.
  case refresh(TokenHash, FreshToken)
  /// The bearer of a verified access token wants to read the account.
  case read(AccountClaims)
  /// The bearer of a verified access token wants to change the account.
  case update(AccountClaims, AccountChange)
  /// The bearer of a verified access token wants to end sessions.
  case signOut(AccountClaims, SignOutScope)
  /// The owner of the server wants a page of all accounts.
  case list(page: Int, size: Int)
  /// The owner of the server wants a new account.
  case create(AccountChange, id: UUID? = nil)
  /// The owner of the server wants to read an account.
  case find(UUID)
  /// The owner of the server wants to change an account.
  case change(UUID, AccountChange)
  /// The owner of the server wants to remove an account.
  case remove(UUID)
  /// The owner of the server wants to end all sessions of an account.
  case endSessions(UUID)
  /// The request was refused before it could be verified. It is answered with the others of its turn.
  case refused(AccountError)
}

/// The parts of an account that an event sets. A part that is nil stays as it is.
package struct AccountChange: Equatable, Sendable {
  /// The new e-mail address.
  package var email: String?
  /// The new password.
  package var password: PasswordRecord?
  /// Members to add to the metadata. A null removes the member of that name.
  package var metadata: [JSON.Member]

  /// A change.
  package init(email: String? = nil, password: PasswordRecord? = nil, metadata: [JSON.Member] = []) {
    self.email = email
    self.password = password
    self.metadata = metadata
  }
}
