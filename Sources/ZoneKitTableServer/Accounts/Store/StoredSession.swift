import ZoneKitRecords

/// A session of an account. It is removed when it ends.
package struct StoredSession: Hashable, Sendable {
  /// The identifier, which is in every access token of the session.
  package var id: UUID
  /// The account.
  package var account: UUID
  /// When the account signed in.
  package var createdAt: WallTime
  /// When the session was last continued.
  package var refreshedAt: WallTime

  /// A session.
  package init(id: UUID, account: UUID, createdAt: WallTime, refreshedAt: WallTime) {
    self.id = id
    self.account = account
    self.createdAt = createdAt
    self.refreshedAt = refreshedAt
  }
}
