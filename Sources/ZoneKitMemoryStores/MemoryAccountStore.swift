import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// The accounts of a table server as a value. Tests and simulations make it lose staged changes and fail.
package struct MemoryAccountStore: AccountStore {
  private struct Content {
    var accounts: [UUID: StoredAccount] = [:]
    var sessions: [UUID: StoredSession] = [:]
    var tokens: [TokenHash: StoredRefreshToken] = [:]
    var claims: [RowName: UUID] = [:]
  }

  /// What reads see.
  private var content = Content()
  /// What a crash leaves; nil if nothing is staged.
  private var committed: Content?

  /// The error of the next commit with changes.
  private var nextCommitError: StoreError?
  /// The error of every commit with changes while it is set.
  package var commitError: StoreError?
  /// The error of every read while it is set.
  package var readError: StoreError?

  /// An empty store.
  package init() {}

  /// Makes the next commit with changes fail.
  package mutating func failNextCommit(with error: StoreError) { nextCommitError = error }

  /// See `AccountStore`.
  package func account(_ id: UUID) throws(StoreError) -> StoredAccount? { try readable().accounts[id] }

  /// See `AccountStore`.
  package func hasAccount(_ id: UUID) throws(StoreError) -> Bool { try readable().accounts[id] != nil }

  /// See `AccountStore`.
  package func account(email: String) throws(StoreError) -> StoredAccount? {
    try readable().accounts.values.first { $0.account.email == email }
  }

  /// See `AccountStore`.
  package func accounts(after offset: Int, limit: Int) throws(StoreError) -> [StoredAccount] {
    let all = try readable().accounts.values.sorted {
      ($0.account.createdAt, $0.account.id) < ($1.account.createdAt, $1.account.id)
    }
    return Array(all.dropFirst(offset).prefix(limit))
  }

  /// See `AccountStore`.
  package func accountCount() throws(StoreError) -> Int { try readable().accounts.count }

  /// See `AccountStore`.
  package func session(_ id: UUID) throws(StoreError) -> StoredSession? { try readable().sessions[id] }

  /// See `AccountStore`.
  package func sessions(of account: UUID) throws(StoreError) -> [StoredSession] {
    try readable().sessions.values.filter { $0.account == account }
      .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  /// See `AccountStore`.
  package func refreshToken(_ hash: TokenHash) throws(StoreError) -> StoredRefreshToken? {
    try readable().tokens[hash]
  }

  /// See `AccountStore`.
  package func refreshTokens(of session: UUID) throws(StoreError) -> [StoredRefreshToken] {
    try readable().tokens.values.filter { $0.session == session }.sorted { $0.number < $1.number }
  }

  /// See `AccountStore`.
  package func owner(of row: RowName) throws(StoreError) -> UUID? { try readable().claims[row] }

  /// See `AccountStore`.
  package mutating func stage(_ change: AccountTransition) {
    if committed == nil { committed = content }
    for id in change.removedAccounts {
      content.accounts[id] = nil
      content.claims = content.claims.filter { $0.value != id }
    }
    content.sessions = content.sessions.filter {
      !change.removedSessions.contains($0.key) && !change.removedAccounts.contains($0.value.account)
    }
    content.tokens = content.tokens.filter {
      !change.removedTokens.contains($0.key) && content.sessions[$0.value.session] != nil
    }
    for account in change.accounts { content.accounts[account.account.id] = account }
    for session in change.sessions { content.sessions[session.id] = session }
    for token in change.tokens { content.tokens[token.hash] = token }
    for claim in change.claims where content.claims[claim.row] == nil { content.claims[claim.row] = claim.account }
  }

  /// See `AccountStore`.
  package mutating func commit() -> StoreError? {
    guard committed != nil else { return nil }
    let error = commitError ?? nextCommitError ?? twinError
    nextCommitError = nil
    if error != nil { crash() }
    committed = nil
    return error
  }

  /// The error of two accounts with one e-mail address; nil if there are none.
  private var twinError: StoreError? {
    Set(content.accounts.values.map(\.account.email)).count == content.accounts.count
      ? nil : StoreError(.failed, "two accounts have one e-mail address", place: "memory")
  }

  /// Drops staged changes, as when a process is killed before its commit.
  package mutating func crash() {
    if let committed { content = committed }
    committed = nil
  }

  /// See `AccountStore`.
  package mutating func close() { crash() }

  private func readable() throws(StoreError) -> Content {
    if let readError { throw readError }
    return content
  }
}
