import ZoneKitRecords

/// A started or continued session, as a client reads it.
package struct AccountGrant: Hashable, Sendable {
  /// The account.
  package var account: UUID
  /// The account's e-mail address.
  package var email: String
  /// The tokens of the session.
  package var tokens: SessionTokens

  /// A grant.
  package init(account: UUID, email: String, tokens: SessionTokens) {
    self.account = account
    self.email = email
    self.tokens = tokens
  }
}
