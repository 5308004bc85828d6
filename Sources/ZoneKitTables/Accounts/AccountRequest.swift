import ZoneKitRecords

/// A request to the accounts of a table server, before passwords and tokens in it are verified.
package enum AccountRequest: Equatable, Sendable {
  /// Starts a session with a password.
  case signIn(email: String, password: String)
  /// Makes an account and starts a session.
  case signUp(email: String, password: String, metadata: [JSON.Member])
  /// Continues a session with its refresh token.
  case refresh(token: String)
  /// Reads the account of the access token.
  case read
  /// Changes the account of the access token.
  case update(AccountEdit)
  /// Ends sessions of the access token's account.
  case signOut(SignOutScope)
  /// Lists a page of all accounts. Pages count from 1.
  case list(page: Int, size: Int)
  /// Makes an account without a session.
  case create(AccountEdit)
  /// Reads any account.
  case find(UUID)
  /// Changes any account.
  case change(UUID, AccountEdit)
  /// Removes an account with its sessions.
  case remove(UUID)

  /// Whether only the owner of the server may ask this.
  package var needsServiceKey: Bool {
    switch self {
    case .signIn, .signUp, .refresh, .read, .update, .signOut: false
    case .list, .create, .find, .change, .remove: true
    }
  }
}

/// The sessions that a sign-out ends.
package enum SignOutScope: String, CaseIterable, Hashable, Sendable {
  /// The session of the access token.
  case local
  /// All sessions of the account.
  case global
  /// All sessions of the account except that of the access token.
  case others
}

/// The parts of an account that a request sets. A part that is nil stays as it is.
package struct AccountEdit: Equatable, Sendable {
  /// The new e-mail address.
  package var email: String?
  /// The new password.
  package var password: String?
  /// Members that are added to the metadata, or that replace members of the same name. A null removes the member.
  package var metadata: [JSON.Member]

  /// An edit.
  package init(email: String? = nil, password: String? = nil, metadata: [JSON.Member] = []) {
    self.email = email
    self.password = password
    self.metadata = metadata
  }
}
