import ZoneKitRecords

/// Where a table server keeps accounts, sessions and the claims of rows. Reads see staged changes. All changes of a turn
/// are committed together.
package protocol AccountStore {
  /// The account of that identifier.
  func account(_ id: UUID) throws(StoreError) -> StoredAccount?
  /// Whether there is an account of that identifier. Asked for each request of an account.
  func hasAccount(_ id: UUID) throws(StoreError) -> Bool
  /// The account with that e-mail address, which is in lower case.
  func account(email: String) throws(StoreError) -> StoredAccount?
  /// At most `limit` accounts after the first `offset` ones, in ascending order of their creation and identifier.
  func accounts(after offset: Int, limit: Int) throws(StoreError) -> [StoredAccount]
  /// The number of accounts.
  func accountCount() throws(StoreError) -> Int
  /// The session of that identifier.
  func session(_ id: UUID) throws(StoreError) -> StoredSession?
  /// The sessions of an account, in ascending order of their creation and identifier.
  func sessions(of account: UUID) throws(StoreError) -> [StoredSession]
  /// The refresh token with that hash.
  func refreshToken(_ hash: TokenHash) throws(StoreError) -> StoredRefreshToken?
  /// The refresh tokens of a session, in ascending order of their numbers.
  func refreshTokens(of session: UUID) throws(StoreError) -> [StoredRefreshToken]
  /// The account that claimed a row.
  func owner(of row: RowName) throws(StoreError) -> UUID?

  /// Adds a change to the turn. An error is returned by `commit`.
  mutating func stage(_ change: AccountTransition)
  /// Commits all staged changes. After an error none of them is kept. Nil if they are kept.
  mutating func commit() -> StoreError?
  /// Drops staged changes and closes the store.
  mutating func close()
}
