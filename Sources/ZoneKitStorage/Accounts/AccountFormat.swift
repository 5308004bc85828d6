extension FileFormat {
  /// The file of the accounts of a table server. Hashes are text, so that a database shell shows them.
  static let accounts = FileFormat(
    name: "account file", applicationID: 0x5A_4B_41_63,  // "ZKAc"
    migrations: [
      """
      CREATE TABLE users(
        id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, password_hash TEXT, salt TEXT, metadata TEXT NOT NULL,
        created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, last_sign_in_at INTEGER) STRICT, WITHOUT ROWID;
      CREATE INDEX users_by_creation ON users(created_at, id);
      CREATE TABLE sessions(
        id TEXT PRIMARY KEY, user TEXT NOT NULL, created_at INTEGER NOT NULL, refreshed_at INTEGER NOT NULL)
        STRICT, WITHOUT ROWID;
      CREATE INDEX sessions_by_user ON sessions(user, created_at, id);
      CREATE TABLE refresh_tokens(
        hash TEXT PRIMARY KEY, session TEXT NOT NULL, number INTEGER NOT NULL, replaced_at INTEGER)
        STRICT, WITHOUT ROWID;
      CREATE INDEX refresh_tokens_by_session ON refresh_tokens(session, number);
      CREATE TABLE claims(
        table_name TEXT NOT NULL, key TEXT NOT NULL, account TEXT NOT NULL, PRIMARY KEY (table_name, key))
        STRICT, WITHOUT ROWID;
      CREATE INDEX claims_by_account ON claims(account)
      """,
      FileOrigin.table,
    ], oldestObservable: 1, originSince: 2)
}
