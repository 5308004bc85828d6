import ZoneKitRecords
import ZoneKitTables

/// Starting, continuing and ending sessions.
extension AccountServer {
  /// Starts a session if the password was that of the account and still is.
  func signIn(
    _ email: String, matching password: PasswordRecord?, _ token: FreshToken, at now: WallTime,
    in store: inout some AccountStore, using generator: inout some RandomNumberGenerator
  ) throws(AccountError) -> AccountResponse {
    guard let password, let email = AccountRules.email(email),
      let known = try Self.reading({ () throws(StoreError) in try store.account(email: email) }),
      known.password == password
    else { throw .wrongCredentials }
    try endSessions(of: known.account.id, in: &store) { hasLapsed($0, at: now) }
    return start(known, token, at: now, in: &store, using: &generator)
  }

  /// Starts a session of an account.
  func start(
    _ known: StoredAccount, _ token: FreshToken, at now: WallTime, in store: inout some AccountStore,
    using generator: inout some RandomNumberGenerator
  ) -> AccountResponse {
    var signedIn = known
    signedIn.account.lastSignInAt = now
    let session = StoredSession(
      id: UUID(using: &generator), account: known.account.id, createdAt: now, refreshedAt: now)
    var transition = AccountTransition()
    transition.accounts = [signedIn]
    transition.sessions = [session]
    transition.tokens = [StoredRefreshToken(hash: token.hash, session: session.id, number: 1)]
    store.stage(transition)
    return .session(
      SessionGrant(account: signedIn.account, session: session.id, refreshToken: token.text, issuedAt: now))
  }

  /// Continues a session. Its token is replaced by `fresh`. A token that was replaced before is taken again for a short
  /// time; later its use means that somebody has stolen it, and ends the session.
  func refresh(
    _ hash: TokenHash, _ fresh: FreshToken, at now: WallTime, in store: inout some AccountStore
  ) throws(AccountError) -> AccountResponse {
    guard let (token, session, known) = try owner(of: hash, in: store) else { throw .unknownRefreshToken }
    guard !hasLapsed(session, at: now) else {
      end([session.id], in: &store)
      throw .unknownRefreshToken
    }
    if let replacedAt = token.replacedAt, now.milliseconds - replacedAt.milliseconds >= AccountLimits.reuseTime {
      end([session.id], in: &store)
      throw .usedRefreshToken
    }
    let all = try Self.reading { () throws(StoreError) in try store.refreshTokens(of: session.id) }
    store.stage(replacing(token, by: fresh, among: all, of: session, at: now))
    return .session(
      SessionGrant(account: known.account, session: session.id, refreshToken: fresh.text, issuedAt: now))
  }

  private func owner(
    of hash: TokenHash, in store: some AccountStore
  ) throws(AccountError) -> (StoredRefreshToken, StoredSession, StoredAccount)? {
    try Self.reading { () throws(StoreError) in
      guard let token = try store.refreshToken(hash), let session = try store.session(token.session),
        let known = try store.account(session.account)
      else { return nil }
      return (token, session, known)
    }
  }

  /// The transition that replaces a token and keeps the numbers of used and unused tokens within their limits.
  private func replacing(
    _ token: StoredRefreshToken, by fresh: FreshToken, among all: [StoredRefreshToken], of session: StoredSession,
    at now: WallTime
  ) -> AccountTransition {
    var transition = AccountTransition()
    var replaced = token
    if token.replacedAt == nil { replaced.replacedAt = now }
    let others = all.filter { $0.hash != token.hash }
    let added = StoredRefreshToken(
      hash: fresh.hash, session: session.id, number: (all.last?.number ?? 0) + 1)
    let unused = others.filter { $0.replacedAt == nil } + [added]
    let used = (others.filter { $0.replacedAt != nil } + [replaced]).sorted { $0.number < $1.number }
    transition.removedTokens =
      (unused.dropLast(AccountLimits.unusedTokens) + used.dropLast(AccountLimits.usedTokens)).map(\.hash)
    transition.tokens = [replaced, added].filter { !transition.removedTokens.contains($0.hash) }
    var continued = session
    continued.refreshedAt = now
    transition.sessions = [continued]
    return transition
  }

  /// Ends sessions of the account of an access token.
  func signOut(
    _ claims: AccountClaims, _ scope: SignOutScope, at now: WallTime, in store: inout some AccountStore
  ) throws(AccountError) -> AccountResponse {
    let session = try bearer(of: claims, at: now, in: store).session
    switch scope {
    case .local: end([session.id], in: &store)
    case .global: try endSessions(of: session.account, in: &store) { _ in true }
    case .others: try endSessions(of: session.account, in: &store) { $0.id != session.id }
    }
    return .signedOut
  }

  /// Why the bearer of a verified token is not admitted to rows, objects, functions and channels; nil if it is. A session
  /// that ended does not matter before the token ends, as with the vendor; an account that was removed does.
  package static func refusal(
    of claims: AccountClaims, in store: some AccountStore
  ) throws(StoreError) -> TokenProblem? {
    guard let account = claims.account else { return nil }
    return try store.hasAccount(account) ? nil : .unknownAccount
  }

  /// The account and the session of an access token. Throws if the session ended.
  func bearer(
    of claims: AccountClaims, at now: WallTime, in store: some AccountStore
  ) throws(AccountError) -> (known: StoredAccount, session: StoredSession) {
    guard claims.role == .authenticated, let account = claims.account else {
      throw .badToken(.claims("missing sub claim"))
    }
    let found = try Self.reading { () throws(StoreError) -> (StoredAccount, StoredSession)? in
      guard let id = claims.session, let session = try store.session(id), session.account == account,
        let known = try store.account(account)
      else { return nil }
      return (known, session)
    }
    guard let found, !hasLapsed(found.1, at: now) else { throw .endedSession }
    return found
  }

  /// Ends the sessions of an account that fulfil a condition.
  func endSessions(
    of account: UUID, in store: inout some AccountStore, where condition: (StoredSession) -> Bool
  ) throws(AccountError) {
    let ended = try Self.reading { () throws(StoreError) in try store.sessions(of: account).filter(condition) }
    end(ended.map(\.id), in: &store)
  }

  private func end(_ sessions: [UUID], in store: inout some AccountStore) {
    guard !sessions.isEmpty else { return }
    var transition = AccountTransition()
    transition.removedSessions = sessions
    store.stage(transition)
  }

  /// Whether a session was not continued for so long that it is over.
  private func hasLapsed(_ session: StoredSession, at now: WallTime) -> Bool {
    now.milliseconds - session.refreshedAt.milliseconds >= AccountLimits.sessionLife
  }
}
