import ZoneKitRecords

/// An account of a table server, as its owner sees it.
package struct Account: Equatable, Sendable {
  /// The identifier, which is also the owner of the account's rows.
  package var id: UUID
  /// The e-mail address in lower case. No two accounts have the same one.
  package var email: String
  /// What the app stores with the account: the members of a JSON object.
  package var metadata: [JSON.Member]
  /// When the account was made.
  package var createdAt: WallTime
  /// When e-mail address, password or metadata changed last.
  package var updatedAt: WallTime
  /// When somebody signed in last; nil if nobody did.
  package var lastSignInAt: WallTime?

  /// An account.
  package init(
    id: UUID, email: String, metadata: [JSON.Member] = [], createdAt: WallTime, updatedAt: WallTime,
    lastSignInAt: WallTime? = nil
  ) {
    self.id = id
    self.email = email
    self.metadata = metadata
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.lastSignInAt = lastSignInAt
  }
}
