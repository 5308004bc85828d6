import ZoneKitRecords

/// What an access token or a key says about its bearer. The signature of the token is verified before its claims are used.
package struct AccountClaims: Hashable, Sendable {
  /// What the bearer may do.
  package enum Role: String, CaseIterable, Hashable, Sendable {
    /// Nobody is signed in.
    case anonymous = "anon"
    /// An account.
    case authenticated
    /// The owner of the server.
    case service = "service_role"
  }

  /// What the bearer may do.
  package var role: Role
  /// The account; nil unless the role is that of an account.
  package var account: UUID?
  /// The session for which the token was made; nil for a key.
  package var session: UUID?
  /// The e-mail address of the account when the token was made.
  package var email: String?
  /// When the token was made, in seconds since 1970.
  package var issuedAt: Int64
  /// When the token ends, in seconds since 1970.
  package var expiresAt: Int64

  /// Claims.
  package init(
    role: Role, account: UUID? = nil, session: UUID? = nil, email: String? = nil, issuedAt: Int64, expiresAt: Int64
  ) {
    self.role = role
    self.account = account
    self.session = session
    self.email = email
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }
}
