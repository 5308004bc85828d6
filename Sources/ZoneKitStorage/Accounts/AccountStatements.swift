/// The prepared statements of the file of accounts.
struct AccountStatements {
  let account: Statement
  let accountByEmail: Statement
  let accounts: Statement
  let accountCount: Statement
  let session: Statement
  let sessions: Statement
  let token: Statement
  let tokens: Statement
  let owner: Statement
  /// All rows of each table, in both orders of their keys.
  let allAccounts: [Statement]
  let allSessions: [Statement]
  let allTokens: [Statement]
  let allClaims: [Statement]
  let putAccount: Statement
  let putSession: Statement
  let putToken: Statement
  let putClaim: Statement
  let removeAccount: Statement
  let removeClaims: Statement
  let removeSession: Statement
  let removeTokens: Statement
  let removeToken: Statement
  let sessionsOfAccount: Statement

  private static let accountColumns =
    "id, email, password_hash, salt, metadata, created_at, updated_at, last_sign_in_at"

  /// The statements on that connection.
  init(on connection: Connection) {
    func statement(_ sql: String) -> Statement { Statement(sql, on: connection) }
    func accounts(_ rest: String) -> Statement {
      statement("SELECT \(Self.accountColumns) FROM users \(rest)")
    }
    func sessions(_ rest: String) -> Statement {
      statement("SELECT id, user, created_at, refreshed_at FROM sessions \(rest)")
    }
    func tokens(_ rest: String) -> Statement {
      statement("SELECT hash, session, number, replaced_at FROM refresh_tokens \(rest)")
    }
    account = accounts("WHERE id = ?1")
    accountByEmail = accounts("WHERE email = ?1")
    self.accounts = accounts("ORDER BY created_at, id LIMIT ?2 OFFSET ?1")
    accountCount = statement("SELECT count(*) FROM users")
    session = sessions("WHERE id = ?1")
    self.sessions = sessions("WHERE user = ?1 ORDER BY created_at, id")
    token = tokens("WHERE hash = ?1")
    self.tokens = tokens("WHERE session = ?1 ORDER BY number")
    owner = statement("SELECT account FROM claims WHERE table_name = ?1 AND key = ?2")
    let orders = ["ASC", "DESC"]
    allAccounts = orders.map { accounts("ORDER BY id \($0)") }
    allSessions = orders.map { sessions("ORDER BY id \($0)") }
    allTokens = orders.map { tokens("ORDER BY hash \($0)") }
    allClaims = orders.map {
      statement("SELECT table_name, key, account FROM claims ORDER BY table_name \($0), key \($0)")
    }
    // REPLACE would remove another account with the same e-mail address.
    putAccount = statement(
      """
      INSERT INTO users(\(Self.accountColumns)) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT(id) DO UPDATE SET email = ?2, password_hash = ?3, salt = ?4, metadata = ?5, created_at = ?6,
        updated_at = ?7, last_sign_in_at = ?8
      """)
    putSession = statement("REPLACE INTO sessions(id, user, created_at, refreshed_at) VALUES(?1, ?2, ?3, ?4)")
    putToken = statement("REPLACE INTO refresh_tokens(hash, session, number, replaced_at) VALUES(?1, ?2, ?3, ?4)")
    putClaim = statement("INSERT OR IGNORE INTO claims(table_name, key, account) VALUES(?1, ?2, ?3)")
    removeAccount = statement("DELETE FROM users WHERE id = ?1")
    removeClaims = statement("DELETE FROM claims WHERE account = ?1")
    removeSession = statement("DELETE FROM sessions WHERE id = ?1")
    removeTokens = statement("DELETE FROM refresh_tokens WHERE session = ?1")
    removeToken = statement("DELETE FROM refresh_tokens WHERE hash = ?1")
    sessionsOfAccount = statement("SELECT id FROM sessions WHERE user = ?1")
  }
}
