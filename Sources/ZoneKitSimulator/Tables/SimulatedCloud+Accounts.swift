import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// The accounts of a simulated cloud with tables. Passwords and tokens are plain words, because cryptography is outside of the
/// machines.
extension SimulatedCloud {
  /// The account of that name, whose e-mail address is `<name>@example.test` and whose password is "password " and that
  /// address. It is made if there is none.
  mutating func account(named name: Name, at now: WallTime) -> UUID {
    let id = SimulatedTables.identifier(of: name)
    let email = SimulatedTables.email(of: name)
    guard self.email(of: id) == nil else { return id }
    var transition = AccountTransition()
    let account = Account(id: id, email: email, createdAt: now, updatedAt: now)
    transition.accounts = [
      StoredAccount(account, password: SimulatedTables.record(of: SimulatedTables.password(ofEmail: email)))
    ]
    commit(transition)
    return id
  }

  /// The e-mail address of an account; nil if there is no such account.
  func email(of account: UUID) -> String? {
    (try? process.tables?.store.account(account)).flatMap { $0 }?.account.email
  }

  /// Starts a session of an account, as a sign-in does. Returns the token with which it is continued.
  mutating func startSession(of account: UUID, at now: WallTime) -> String {
    let token = freshToken()
    let session = StoredSession(
      id: UUID(high: account.high, low: UInt64(tables?.lastToken ?? 0)), account: account, createdAt: now,
      refreshedAt: now)
    var transition = AccountTransition()
    transition.sessions = [session]
    transition.tokens = [StoredRefreshToken(hash: token.hash, session: session.id, number: 1)]
    commit(transition)
    return token.text
  }

  /// Ends the session that the token continues.
  mutating func endSession(ofToken token: String) {
    guard let session = (try? process.tables?.store.refreshToken(TokenHash(token))).flatMap({ $0 })?.session else {
      return
    }
    var transition = AccountTransition()
    transition.removedSessions = [session]
    commit(transition)
  }

  private mutating func commit(_ transition: AccountTransition) {
    process.tables?.store.stage(transition)
    _ = process.tables?.store.commit()
  }

  private mutating func freshToken() -> FreshToken {
    tables?.lastToken += 1
    let text = "refresh-\(tables?.lastToken ?? 0)"
    return FreshToken(text, hash: TokenHash(text))
  }

  // MARK: Requests

  /// A request to the accounts, verified.
  mutating func event(of request: AccountRequest, token: String?, at now: Moment) -> AccountEvent {
    do throws(AccountError) {
      return try verified(request, token: token, at: now)
    } catch {
      return .refused(error)
    }
  }

  private mutating func verified(
    _ request: AccountRequest, token: String?, at now: Moment
  ) throws(AccountError) -> AccountEvent {
    switch request {
    case .signIn(let email, let password):
      guard let store = process.tables?.store else { throw AccountError(.notFound, "there are no accounts") }
      let known = try AccountServer.password(of: email, in: store)
      let matching = known == SimulatedTables.record(of: password) ? known : nil
      return .signIn(email: email, matching: matching, from: "", freshToken())
    case .signUp(let email, let password, let metadata):
      if let error = AccountRules.refusal(ofPassword: password) { throw error }
      return .signUp(email: email, SimulatedTables.record(of: password), metadata: metadata, from: "", freshToken())
    case .refresh(let token): return .refresh(TokenHash(token), freshToken())
    case .read: return .read(try claims(of: token, at: now.wall))
    case .signOut(let scope): return .signOut(try claims(of: token, at: now.wall), scope)
    case .update, .list, .create, .find, .change, .remove:
      throw AccountError(.notFound, "devices do not ask this")
    }
  }

  private func claims(of token: String?, at now: WallTime) throws(AccountError) -> AccountClaims {
    guard let token, let tables else { throw .noBearer }
    switch tables.verified(token, at: now) {
    case .success(let claims): return claims
    case .failure(let problem): throw .badToken(problem)
    }
  }

  /// The claims of an access token, or why its bearer is not admitted.
  func verdict(on token: String, at now: WallTime) -> ChannelServer.Verdict {
    guard let tables, let process = process.tables else { return .failure(.claims("there are no accounts")) }
    return tables.verified(token, at: now).flatMap { process.admitted($0) }
  }
}

extension SimulatedTables {
  /// The identifier of the account of that name.
  static func identifier(of name: Name) -> UUID {
    let hash = FNV1a.hash("account \(name)")
    return UUID(high: UInt64(truncatingIfNeeded: hash >> 64), low: UInt64(truncatingIfNeeded: hash), version: 8)
  }

  /// The e-mail address of the account of that name.
  static func email(of name: Name) -> String { "\(name.text.lowercased())@example.test" }

  /// The password of the account with that e-mail address.
  static func password(ofEmail email: String) -> String { "password \(email)" }

  /// The record of a password.
  static func record(of password: String) -> PasswordRecord { PasswordRecord(hash: password, salt: "") }

  /// The access token of a session that was just granted.
  func accessToken(of grant: SessionGrant) -> String {
    let end = grant.issuedAt.milliseconds / 1_000 + tokenLife
    return "access \(grant.account.id.text) \(grant.session.text) \(end)"
  }

  /// The account of an access token of this service, also of one that ended; nil for another text.
  static func account(ofToken token: String) -> UUID? {
    token.hasPrefix("access ") ? UUID(token.dropFirst("access ".count).prefix { $0 != " " }) : nil
  }

  /// The claims of an access token. It is judged at that time; nil ignores its end.
  func verified(_ token: String, at now: WallTime?) -> ChannelServer.Verdict {
    let words = token.split(separator: " ")
    guard words.count == 4, words[0] == "access", let account = UUID(words[1]), let session = UUID(words[2]),
      let end = Int64(words[3])
    else { return .failure(.malformed("no token of this server")) }
    let late = now.map { $0.milliseconds / 1_000 - end } ?? -1
    guard late < 0 else { return .failure(.expired(seconds: late)) }
    return .success(
      AccountClaims(
        role: .authenticated, account: account, session: session, issuedAt: end - tokenLife, expiresAt: end))
  }
}
