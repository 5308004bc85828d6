import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitTableServer
import ZoneKitTables

/// The accounts of a simulated cloud with tables. Passwords and tokens are plain words, because cryptography is outside of the
/// machines.
extension SimulatedCloud {
  /// The account of that name, whose e-mail address is `<name>@example.test` and whose password is "password " and that
  /// address. It is made if there is none.
  mutating func account(named name: Name, at now: WallTime) -> UUID {
    let email = ScenarioAccount.email(of: name.text)
    if let known = account(ofEmail: email) { return known }
    let id = ScenarioAccount.identifier(of: name)
    var transition = AccountTransition()
    let account = Account(id: id, email: email, createdAt: now, updatedAt: now)
    transition.accounts = [
      StoredAccount(account, password: SimulatedTables.record(of: SimulatedTables.password(ofEmail: email)))
    ]
    commit(transition)
    return id
  }

  /// The account with that e-mail address; nil if there is none.
  func account(ofEmail email: String) -> UUID? {
    (try? process.tables?.store.account(email: email)).flatMap { $0 }?.account.id
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
    if !transition.accounts.isEmpty { process.tables?.relations?.accountsChanged() }
  }

  private mutating func freshToken() -> FreshToken {
    tables?.lastToken += 1
    let text = "refresh-\(tables?.lastToken ?? 0)"
    return FreshToken(text, hash: TokenHash(text))
  }

  // MARK: Requests

  /// Who sends a message for tables with that access token.
  func sender(_ token: String?, asking message: CloudMessage, from deviceID: String) -> TableSender {
    var sender = TableSender(token: token.flatMap { tables?.verified($0) }, deviceID: deviceID)
    if case .unverified(.refresh(let token)) = message, let store = process.tables?.store {
      sender.account = AccountServer.account(refreshing: TokenHash(token), in: store)
    }
    return sender
  }

  /// A request to the accounts, verified. Its access token is judged at that time.
  mutating func event(of request: AccountRequest, token: String?, at now: WallTime) -> AccountEvent {
    do throws(AccountError) {
      return try verified(request, token: token, at: now)
    } catch {
      return .refused(error)
    }
  }

  private mutating func verified(
    _ request: AccountRequest, token: String?, at now: WallTime
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
    case .read: return .read(try claims(of: token, at: now))
    case .signOut(let scope): return .signOut(try claims(of: token, at: now), scope)
    case .update, .list, .create, .find, .change, .remove:
      throw AccountError(.notFound, "devices do not ask this")
    }
  }

  private func claims(of token: String?, at now: WallTime) throws(AccountError) -> AccountClaims {
    guard let token, let tables else { throw .noBearer }
    do throws(TokenProblem) {
      let claims = try tables.verified(token).get()
      if let problem = claims.problem(at: now) { throw problem }
      return claims
    } catch {
      throw .badToken(error)
    }
  }
}

extension SimulatedTables {
  /// The password of the account with that e-mail address.
  static func password(ofEmail email: String) -> String { "password \(email)" }

  /// The record of a password.
  static func record(of password: String) -> PasswordRecord { PasswordRecord(hash: password, salt: "") }

  /// The access token of a session that was just granted.
  func accessToken(of grant: SessionGrant) -> String {
    let start = grant.issuedAt.milliseconds / 1_000
    return "access \(grant.account.id.text) \(grant.session.text) \(start) \(start + tokenLife)"
  }

  /// The account of an access token of this service, also of one that ended; nil for another text.
  static func account(ofToken token: String) -> UUID? {
    token.hasPrefix("access ") ? UUID(token.dropFirst("access ".count).prefix { $0 != " " }) : nil
  }

  /// The claims of an access token, whose times are not judged.
  func verified(_ token: String) -> ChannelServer.Verdict {
    let words = token.split(separator: " ")
    guard words.count == 5, words[0] == "access", let account = UUID(words[1]), let session = UUID(words[2]),
      let start = Int64(words[3]), let end = Int64(words[4])
    else { return .failure(.malformed("no token of this server")) }
    return .success(
      AccountClaims(role: .authenticated, account: account, session: session, issuedAt: start, expiresAt: end))
  }
}
