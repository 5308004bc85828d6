import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// The open SQLite file of the accounts.
final class AccountFile {
  let connection: Connection
  private let statements: AccountStatements
  private(set) var isInTransaction = false
  /// Whether a commit waits for the disk.
  private var waitsForDisk = true
  /// Whether a commit has waited for the disk since the file was opened. Then a power cut leaves the WAL.
  private var hasWaited = false
  /// Accounts that are there.
  private var known: Set<UUID> = []

  /// The file at that path. It belongs to `origin`; to any container if that is nil.
  init(
    _ path: String, of origin: FileOrigin?, access: Access, reserve: FileReserve? = nil, isDamaged: Bool = false
  ) throws(StoreError) {
    connection = try Connection(
      path, as: .accounts, access: access, origin: origin, reserve: reserve, isDamaged: isDamaged)
    statements = AccountStatements(on: connection)
  }

  // MARK: Reading

  func account(_ id: UUID) throws(StoreError) -> StoredAccount? {
    try statements.account.first(.text(id.text)) { row throws(StoreError) in try account(row) }
  }

  func hasAccount(_ id: UUID) throws(StoreError) -> Bool {
    guard !known.contains(id) else { return true }
    guard try account(id) != nil else { return false }
    known.insert(id)
    return true
  }

  func account(email: String) throws(StoreError) -> StoredAccount? {
    try statements.accountByEmail.first(.text(email)) { row throws(StoreError) in try account(row) }
  }

  func accounts(after offset: Int, limit: Int) throws(StoreError) -> [StoredAccount] {
    try statements.accounts.all(.integer(Int64(offset)), .integer(Int64(limit))) { row throws(StoreError) in
      try account(row)
    }
  }

  func accountCount() throws(StoreError) -> Int { Int(try statements.accountCount.first { $0.integer(0) } ?? 0) }

  func session(_ id: UUID) throws(StoreError) -> StoredSession? {
    try statements.session.first(.text(id.text)) { row throws(StoreError) in try session(row) }
  }

  func sessions(of account: UUID) throws(StoreError) -> [StoredSession] {
    try statements.sessions.all(.text(account.text)) { row throws(StoreError) in try session(row) }
  }

  func refreshToken(_ hash: TokenHash) throws(StoreError) -> StoredRefreshToken? {
    try statements.token.first(.text(hash.text)) { row throws(StoreError) in try token(row) }
  }

  func refreshTokens(of session: UUID) throws(StoreError) -> [StoredRefreshToken] {
    try statements.tokens.all(.text(session.text)) { row throws(StoreError) in try token(row) }
  }

  func owner(of row: RowName) throws(StoreError) -> UUID? {
    try statements.owner.first(.text(row.table.text), .text(row.key.text)) { row throws(StoreError) in
      try identifier(row.text(0))
    }
  }

  /// Calls `body` with each account; with nil for a damaged one. A file with an unreadable page is read from both of its
  /// ends, and then the error is thrown.
  func allAccounts(_ body: (StoredAccount?) -> Void) throws(StoreError) {
    try visit(statements.allAccounts, body) { row throws(StoreError) in try account(row) }
  }

  /// Calls `body` with each session, as `allAccounts` does.
  func allSessions(_ body: (StoredSession?) -> Void) throws(StoreError) {
    try visit(statements.allSessions, body) { row throws(StoreError) in try session(row) }
  }

  /// Calls `body` with each refresh token, as `allAccounts` does.
  func allTokens(_ body: (StoredRefreshToken?) -> Void) throws(StoreError) {
    try visit(statements.allTokens, body) { row throws(StoreError) in try token(row) }
  }

  /// Calls `body` with each claim, as `allAccounts` does.
  func allClaims(_ body: (RowClaim?) -> Void) throws(StoreError) {
    try visit(statements.allClaims, body) { row throws(StoreError) in
      RowClaim(RowName(table: Name(row.text(0)), key: Name(row.text(1))), by: try identifier(row.text(2)))
    }
  }

  private func visit<Item>(
    _ orders: [Statement], _ body: (Item?) -> Void, read: (Row) throws(StoreError) -> Item
  ) throws(StoreError) {
    var failure: StoreError?
    for statement in orders {
      do throws(StoreError) {
        try statement.visit { row in
          body(try? read(row))
          return true
        }
        return
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private func account(_ row: Row) throws(StoreError) -> StoredAccount {
    let id = try identifier(row.text(0))
    guard let metadata = (try? JSON(exactly: row.text(4)))?.object else {
      throw damage("the metadata of account \(id.text) is no JSON object")
    }
    let account = Account(
      id: id, email: row.text(1), metadata: metadata, createdAt: row.time(5),
      updatedAt: row.time(6), lastSignInAt: row.optionalTime(7))
    let password = row.optionalText(2).map { PasswordRecord(hash: $0, salt: row.text(3)) }
    return StoredAccount(account, password: password)
  }

  private func session(_ row: Row) throws(StoreError) -> StoredSession {
    StoredSession(
      id: try identifier(row.text(0)), account: try identifier(row.text(1)),
      createdAt: row.time(2), refreshedAt: row.time(3))
  }

  private func token(_ row: Row) throws(StoreError) -> StoredRefreshToken {
    StoredRefreshToken(
      hash: TokenHash(row.text(0)), session: try identifier(row.text(1)), number: row.integer(2),
      replacedAt: row.optionalTime(3))
  }

  private func identifier(_ text: String) throws(StoreError) -> UUID {
    guard let id = UUID(text) else { throw damage("\(text) is no identifier") }
    return id
  }

  private func damage(_ message: String) -> StoreError { StoreError(.corrupt, message, place: connection.path) }

  // MARK: Writing

  /// Writes a change in the transaction of the turn, which it begins if there is none.
  ///
  /// Claims alone do not wait for the disk: with them each insert of rows would wait twice, and they follow from the
  /// names of the rows, where `AccountFiles` finds them again after a power cut.
  func write(_ change: AccountTransition) throws(StoreError) {
    let needsDisk = !change.hasOnlyClaims || !hasWaited
    if isInTransaction, needsDisk, !waitsForDisk { try commit() }
    if !isInTransaction { try begin(waitingForDisk: needsDisk) }
    for id in change.removedAccounts { try remove(account: id) }
    for id in change.removedSessions { try remove(session: id.text) }
    for hash in change.removedTokens { try statements.removeToken.run(.text(hash.text)) }
    for account in change.accounts { try put(account) }
    for session in change.sessions {
      try statements.putSession.run(
        .text(session.id.text), .text(session.account.text), .time(session.createdAt), .time(session.refreshedAt))
    }
    for token in change.tokens {
      try statements.putToken.run(
        .text(token.hash.text), .text(token.session.text), .integer(token.number), .time(token.replacedAt))
    }
    for claim in change.claims {
      try statements.putClaim.run(
        .text(claim.row.table.text), .text(claim.row.key.text), .text(claim.account.text))
    }
  }

  private func begin(waitingForDisk needsDisk: Bool) throws(StoreError) {
    if needsDisk != waitsForDisk {
      try connection.setDurability(needsDisk ? .full : .normal)
      waitsForDisk = needsDisk
    }
    try connection.execute("BEGIN IMMEDIATE")
    connection.began()
    isInTransaction = true
  }

  private func put(_ known: StoredAccount) throws(StoreError) {
    let account = known.account
    try statements.putAccount.run(
      .text(account.id.text), .text(account.email), .text(known.password?.hash), .text(known.password?.salt),
      .utf8(JSON.object(account.metadata).bytes()), .time(account.createdAt), .time(account.updatedAt),
      .time(account.lastSignInAt))
  }

  private func remove(account id: UUID) throws(StoreError) {
    known.remove(id)
    for session in try statements.sessionsOfAccount.all(.text(id.text), read: { $0.text(0) }) {
      try remove(session: session)
    }
    try statements.removeClaims.run(.text(id.text))
    try statements.removeAccount.run(.text(id.text))
  }

  private func remove(session: String) throws(StoreError) {
    try statements.removeTokens.run(.text(session))
    try statements.removeSession.run(.text(session))
  }

  /// Commits the transaction. After an error it is still open and has to be rolled back.
  func commit() throws(StoreError) {
    try connection.commit { () throws(StoreError) in try connection.execute("COMMIT") }
    isInTransaction = false
    if waitsForDisk { hasWaited = true }
  }

  /// Rolls the transaction back.
  func rollBack() {
    connection.rollBack()
    isInTransaction = false
    known = []
  }
}

extension AccountTransition {
  /// Whether claims are all that it changes.
  fileprivate var hasOnlyClaims: Bool {
    removedAccounts.isEmpty && removedSessions.isEmpty && removedTokens.isEmpty && accounts.isEmpty && sessions.isEmpty
      && tokens.isEmpty
  }
}
