import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

@Suite struct `sessions` {
  @Test func `start with a sign-up, and again with a right password`() throws {
    var accounts = TestAccounts()
    let made = try accounts.signUp("Mara@Example.Test", metadata: [JSON.Member("display_name", "Mara")])
    #expect(made.account.email == "mara@example.test" && made.account.metadata == [JSON.Member("display_name", "Mara")])
    #expect(made.account.lastSignInAt == accounts.now && made.refreshToken == "t1")
    accounts.wait(5)
    let again = try accounts.signIn("MARA@example.test")
    #expect(again.account.id == made.account.id && again.session != made.session)
    #expect(again.account.lastSignInAt == accounts.now && again.account.createdAt == made.account.createdAt)
  }

  @Test func `do not start with a wrong password or address`() throws {
    var accounts = TestAccounts()
    _ = try accounts.signUp()
    let fresh = accounts.token()
    let wrong = AccountError(.invalidCredentials, "Invalid login credentials")
    #expect(accounts.error(of: .signIn(email: "mara@example.test", matching: nil, from: "", fresh)) == wrong)
    #expect(
      accounts.error(of: .signIn(email: "nobody@example.test", matching: TestAccounts.password, from: "", fresh))
        == wrong)
    #expect(accounts.error(of: .signIn(email: "no address", matching: TestAccounts.password, from: "", fresh)) == wrong)
    #expect(try AccountServer.password(of: "Mara@example.test", in: accounts.store) == TestAccounts.password)
    #expect(try AccountServer.password(of: "nobody@example.test", in: accounts.store) == nil)
  }

  @Test func `do not start with a password that was replaced while it was checked`() throws {
    var accounts = TestAccounts()
    let mara = try accounts.signUp()
    let checked = TestAccounts.password
    let change = AccountChange(password: PasswordRecord(hash: "new", salt: "s"))
    #expect(accounts.error(of: .change(mara.account.id, change)) == nil)
    let late = AccountEvent.signIn(email: "mara@example.test", matching: checked, from: "", accounts.token())
    #expect(accounts.error(of: late)?.code == .invalidCredentials)
    #expect(try accounts.signIn().account.id == mara.account.id)
  }

  @Test func `are not admitted once their account was removed, and are after they ended`() throws {
    var accounts = TestAccounts()
    let claims = accounts.claims(try accounts.signUp())
    func refusal() throws -> TokenProblem? { try AccountServer.refusal(of: claims, in: accounts.store) }
    #expect(try refusal() == nil)
    _ = accounts.ask(.signOut(claims, .global))
    #expect(try refusal() == nil, "as with the vendor")
    _ = accounts.ask(.remove(try #require(claims.account)))
    #expect(try refusal() == .unknownAccount)
    let key = AccountClaims(role: .anonymous, issuedAt: 0, expiresAt: 1)
    #expect(try AccountServer.refusal(of: key, in: accounts.store) == nil)
  }

  @Test func `go on with a token that is used once`() throws {
    var accounts = TestAccounts()
    let made = try accounts.signUp()
    accounts.wait(1000)
    guard case .session(let next) = accounts.refresh(made.refreshToken) else { throw CloudError(.internalError, "") }
    #expect(next.session == made.session && next.account == made.account && next.refreshToken != made.refreshToken)
    #expect(next.issuedAt == accounts.now)
    #expect(accounts.refreshError("unknown")?.code == .refreshTokenNotFound)
    #expect(accounts.refreshError(next.refreshToken) == nil)
  }

  @Test(
    arguments: [(9_999, nil), (10_000, AccountError.Code.refreshTokenAlreadyUsed)] as [(Int64, AccountError.Code?)])
  func `take a replaced token again for ten seconds`(after wait: Int64, code: AccountError.Code?) throws {
    var accounts = TestAccounts()
    let made = try accounts.signUp()
    guard case .session(let next) = accounts.refresh(made.refreshToken) else { throw CloudError(.internalError, "") }
    accounts.wait(wait)
    #expect(accounts.refreshError(made.refreshToken)?.code == code)
    let isOver = code != nil
    #expect(accounts.refreshError(next.refreshToken)?.code == (isOver ? .refreshTokenNotFound : nil))
    #expect(accounts.error(of: .read(accounts.claims(made)))?.code == (isOver ? .sessionNotFound : nil))
  }

  @Test func `do not live longer because a replaced token is used again and again`() throws {
    var accounts = TestAccounts()
    let made = try accounts.signUp()
    _ = accounts.refresh(made.refreshToken)
    accounts.wait(6_000)
    #expect(accounts.refreshError(made.refreshToken) == nil)
    accounts.wait(6_000)
    #expect(accounts.refreshError(made.refreshToken)?.code == .refreshTokenAlreadyUsed)
  }

  @Test func `have at most four unused tokens, and the oldest goes`() throws {
    var accounts = TestAccounts()
    let made = try accounts.signUp()
    var unused: [String] = []
    for _ in 0..<5 {
      guard case .session(let next) = accounts.refresh(made.refreshToken) else { throw CloudError(.internalError, "") }
      unused.append(next.refreshToken)
    }
    #expect(accounts.refreshError(unused[0])?.code == .refreshTokenNotFound)
    #expect(accounts.refreshError(unused[1]) == nil, "the session goes on")
  }

  @Test func `keep a bounded number of tokens`() throws {
    var accounts = TestAccounts()
    let made = try accounts.signUp()
    var last = made.refreshToken
    for _ in 0..<(AccountLimits.usedTokens + 5) {
      guard case .session(let next) = accounts.refresh(last) else { throw CloudError(.internalError, "") }
      last = next.refreshToken
    }
    let kept = try accounts.store.refreshTokens(of: made.session)
    #expect(kept.count == AccountLimits.usedTokens + 1 && kept.last?.hash.text == last)
    accounts.wait(20_000)
    #expect(accounts.refreshError(made.refreshToken)?.code == .refreshTokenNotFound, "forgotten, and no theft")
    #expect(accounts.refreshError("t10")?.code == .refreshTokenAlreadyUsed)
    #expect(accounts.refreshError(last)?.code == .refreshTokenNotFound)
  }

  @Test(arguments: SignOutScope.allCases)
  func `end where the sign-out says`(scope: SignOutScope) throws {
    var accounts = TestAccounts()
    let first = try accounts.signUp()
    let second = try accounts.signIn()
    let other = try accounts.signUp("ben@example.test")
    #expect(accounts.ask(.signOut(accounts.claims(first), scope)) == .signedOut)
    let gone = AccountError(.sessionNotFound, "Session from session_id claim in JWT does not exist")
    #expect(accounts.error(of: .read(accounts.claims(first))) == (scope == .others ? nil : gone))
    #expect(accounts.error(of: .read(accounts.claims(second))) == (scope == .local ? nil : gone))
    #expect(accounts.error(of: .read(accounts.claims(other))) == nil, "another account's session goes on")
    #expect(accounts.refreshError(first.refreshToken)?.code == (scope == .others ? nil : .refreshTokenNotFound))
    if scope == .local { #expect(accounts.error(of: .signOut(accounts.claims(first), .local)) == gone) }
  }

  @Test(arguments: [(0, nil), (1, AccountError.Code.refreshTokenNotFound)] as [(Int64, AccountError.Code?)])
  func `lapse after sixty days without being continued`(late: Int64, code: AccountError.Code?) throws {
    var accounts = TestAccounts()
    let made = try accounts.signUp()
    accounts.wait(60 * 86_400_000 - 1 + late)
    #expect(accounts.error(of: .read(accounts.claims(made)))?.code == (late > 0 ? .sessionNotFound : nil))
    #expect(accounts.refreshError(made.refreshToken)?.code == code)
  }

  @Test func `that lapsed are removed at the next sign-in`() throws {
    var accounts = TestAccounts()
    let made = try accounts.signUp()
    accounts.wait(30 * 86_400_000)
    let second = try accounts.signIn()
    accounts.wait(30 * 86_400_000)
    let third = try accounts.signIn()
    #expect(try accounts.store.sessions(of: made.account.id).map(\.id) == [second.session, third.session])
  }

  @Test func `belong to the account of the token, and not to another one`() throws {
    var accounts = TestAccounts()
    let mara = try accounts.signUp()
    let ben = try accounts.signUp("ben@example.test")
    var forged = accounts.claims(mara)
    forged.session = ben.session
    #expect(accounts.error(of: .read(forged))?.code == .sessionNotFound)
    forged.session = nil
    #expect(accounts.error(of: .signOut(forged, .global))?.code == .sessionNotFound)
    forged.role = .service
    #expect(accounts.error(of: .read(forged))?.code == .badJWT)
    #expect(accounts.error(of: .read(accounts.claims(ben))) == nil)
  }
}
