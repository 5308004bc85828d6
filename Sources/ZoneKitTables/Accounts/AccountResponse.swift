import ZoneKitRecords

/// The answer to an `AccountRequest`.
package enum AccountResponse: Equatable, Sendable {
  /// A session started or continued.
  case session(SessionGrant)
  /// The account that was read, made, changed or removed.
  case account(Account)
  /// A page of accounts, and the number of all accounts.
  case accounts([Account], total: Int)
  /// Sessions ended.
  case signedOut
  /// The request was refused.
  case failure(AccountError)
}

/// A started or continued session. The access token is made when the answer is written.
package struct SessionGrant: Equatable, Sendable {
  /// The account.
  package var account: Account
  /// The session.
  package var session: UUID
  /// The token with which the session can be continued once.
  package var refreshToken: String
  /// When the grant was made.
  package var issuedAt: WallTime

  /// A grant.
  package init(account: Account, session: UUID, refreshToken: String, issuedAt: WallTime) {
    self.account = account
    self.session = session
    self.refreshToken = refreshToken
    self.issuedAt = issuedAt
  }
}
