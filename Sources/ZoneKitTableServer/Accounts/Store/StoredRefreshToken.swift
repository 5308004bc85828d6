import ZoneKitRecords

/// The hash of a refresh token as text. The token itself is not kept.
package struct TokenHash: Hashable, Sendable {
  /// The hash.
  package var text: String

  /// A hash.
  package init(_ text: String) { self.text = text }
}

/// A refresh token that nobody has yet, and its hash.
package struct FreshToken: Hashable, Sendable {
  /// The token.
  package var text: String
  /// The hash of the token.
  package var hash: TokenHash

  /// A token with that hash.
  package init(_ text: String, hash: TokenHash) {
    self.text = text
    self.hash = hash
  }
}

/// A refresh token of a session.
package struct StoredRefreshToken: Hashable, Sendable {
  /// The hash of the token.
  package var hash: TokenHash
  /// The session that the token continues.
  package var session: UUID
  /// The place among the session's tokens. A later token has a greater one.
  package var number: Int64
  /// When the token was used and replaced by another one; nil if it was not used yet.
  package var replacedAt: WallTime?

  /// A token.
  package init(hash: TokenHash, session: UUID, number: Int64, replacedAt: WallTime? = nil) {
    self.hash = hash
    self.session = session
    self.number = number
    self.replacedAt = replacedAt
  }
}
