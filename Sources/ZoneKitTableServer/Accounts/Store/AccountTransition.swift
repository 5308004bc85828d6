import ZoneKitRecords

/// A change of an `AccountStore`. Removals come before what is saved.
package struct AccountTransition: Equatable, Sendable {
  /// The accounts to remove, each with its sessions, their refresh tokens and its claims.
  package var removedAccounts: [UUID] = []
  /// The sessions to remove, each with its refresh tokens.
  package var removedSessions: [UUID] = []
  /// The refresh tokens to remove.
  package var removedTokens: [TokenHash] = []
  /// The accounts to add or replace.
  package var accounts: [StoredAccount] = []
  /// The sessions to add or replace.
  package var sessions: [StoredSession] = []
  /// The refresh tokens to add or replace.
  package var tokens: [StoredRefreshToken] = []
  /// The claims to add. A row that is claimed already keeps its owner.
  package var claims: [RowClaim] = []

  /// A transition that changes nothing.
  package init() {}
}
