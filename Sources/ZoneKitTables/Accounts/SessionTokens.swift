/// The tokens of a session, as the service grants them.
package struct SessionTokens: Hashable, Sendable {
  /// The token that requests carry.
  package var access: String
  /// The token with which the session is continued once.
  package var refresh: String
  /// For how long the service accepts the access token, in milliseconds from the grant. The device's clock need not agree
  /// with the service's.
  package var life: Int64

  /// Tokens.
  package init(access: String, refresh: String, life: Int64) {
    self.access = access
    self.refresh = refresh
    self.life = life
  }
}
