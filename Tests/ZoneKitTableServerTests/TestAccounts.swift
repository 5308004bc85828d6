import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitTableServer
import ZoneKitTables

/// Accounts with a store in memory. Each request is a turn of its own. Tokens are their own hashes.
struct TestAccounts {
  var server: AccountServer
  var store = MemoryAccountStore()
  var now = WallTime(milliseconds: 1_800_000_000_000)
  var generator = SplitMix64(seed: 1)
  private var tokens = 0

  init(signIns: Int = 30) { server = AccountServer(limits: AccountLimits(signIns: signIns)) }

  mutating func wait(_ milliseconds: Int64) { now = now.advanced(byMilliseconds: milliseconds) }

  mutating func token() -> FreshToken {
    tokens += 1
    return FreshToken("t\(tokens)", hash: TokenHash("t\(tokens)"))
  }

  /// Makes a request and commits.
  mutating func ask(_ event: AccountEvent) -> AccountResponse {
    receive(event)
    let effects = server.endTurn(store.commit())
    guard case .answer(_, let response)? = effects.first, effects.count == 1 else {
      Issue.record("expected one answer, found \(effects)")
      return .signedOut
    }
    return response
  }

  @discardableResult
  mutating func receive(_ event: AccountEvent, ticket: Int = 1) -> UUID? {
    server.receive(event, ticket: Ticket(ticket), at: now, in: &store, using: &generator).made
  }

  /// The error of a request; nil if it succeeds.
  mutating func error(of event: AccountEvent) -> AccountError? {
    guard case .failure(let error) = ask(event) else { return nil }
    return error
  }

  /// The session that a request starts or continues.
  mutating func session(_ event: AccountEvent) throws -> SessionGrant {
    let response = ask(event)
    guard case .session(let grant) = response else {
      Issue.record("expected a session, found \(response)")
      throw CloudError(.internalError, "no session")
    }
    return grant
  }

  mutating func signUp(_ email: String = "mara@example.test", metadata: [JSON.Member] = []) throws -> SessionGrant {
    try session(.signUp(email: email, Self.password, metadata: metadata, from: "home", token()))
  }

  mutating func signIn(_ email: String = "mara@example.test") throws -> SessionGrant {
    let password = try AccountServer.password(of: email, in: store)
    return try session(.signIn(email: email, matching: password, from: "home", token()))
  }

  mutating func refresh(_ text: String) -> AccountResponse { ask(.refresh(TokenHash(text), token())) }

  mutating func refreshError(_ text: String) -> AccountError? { error(of: .refresh(TokenHash(text), token())) }

  /// What an access token of a session says.
  func claims(_ grant: SessionGrant) -> AccountClaims {
    AccountClaims(
      role: .authenticated, account: grant.account.id, session: grant.session, email: grant.account.email,
      issuedAt: grant.issuedAt.milliseconds / 1000, expiresAt: grant.issuedAt.milliseconds / 1000 + 3600)
  }

  static let password = PasswordRecord(hash: "h", salt: "s")
}
