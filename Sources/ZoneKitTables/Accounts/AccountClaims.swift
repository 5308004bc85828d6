import ZoneKitRecords

/// What an access token or a key says about its bearer. The signature of the token is verified before its claims are used,
/// and `problem` judges its times.
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
  /// When the token begins to be valid, in seconds since 1970; nil if it says nothing about that.
  package var notBefore: Int64?
  /// When the token ends, in seconds since 1970.
  package var expiresAt: Int64

  /// Claims.
  package init(
    role: Role, account: UUID? = nil, session: UUID? = nil, email: String? = nil, issuedAt: Int64,
    notBefore: Int64? = nil, expiresAt: Int64
  ) {
    self.role = role
    self.account = account
    self.session = session
    self.email = email
    self.issuedAt = issuedAt
    self.notBefore = notBefore
    self.expiresAt = expiresAt
  }

  /// How far the clocks of servers may differ, in milliseconds.
  package static let leeway: Int64 = 30_000

  /// Why the token is not valid at that time; nil if it is.
  package func problem(at now: WallTime) -> TokenProblem? {
    guard expiresAt > Self.seconds(now.milliseconds - Self.leeway) else {
      return .expired(seconds: max(0, Self.seconds(now.milliseconds) - expiresAt))
    }
    let latest = Self.seconds(now.milliseconds + Self.leeway - 1)
    if issuedAt > latest { return .claims("iat is in the future") }
    return (notBefore ?? issuedAt) > latest ? .claims("nbf is in the future") : nil
  }

  /// The whole seconds of a time.
  private static func seconds(_ milliseconds: Int64) -> Int64 {
    milliseconds / 1_000 - (milliseconds % 1_000 < 0 ? 1 : 0)
  }
}
