import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

@Suite struct `accounts` {
  @Test func `have addresses that no other account has`() throws {
    var accounts = TestAccounts()
    let mara = try accounts.signUp()
    let ben = try accounts.signUp("ben@example.test")
    let taken = AccountError(.userAlreadyExists, "User already registered")
    let again = AccountEvent.signUp(
      email: "MARA@example.test", TestAccounts.password, metadata: [], from: "home", accounts.token())
    #expect(accounts.error(of: again) == taken)
    #expect(accounts.error(of: .update(accounts.claims(ben), AccountChange(email: "mara@example.test"))) == taken)
    #expect(accounts.error(of: .update(accounts.claims(mara), AccountChange(email: "MARA@example.test"))) == nil)
    #expect(accounts.error(of: .create(AccountChange(email: "x"))) == .noEmail)
    #expect(accounts.error(of: .create(AccountChange())) == .noEmail)
  }

  @Test(arguments: [
    ("a@b", true), ("a.b+c@sub.example.test", true), ("A@B.TEST", true), ("", false), ("a", false), ("@b", false),
    ("a@", false), ("a@b.", false), ("a@.b", false), ("a@b@c", false), ("a b@c", false), ("a@b c", false),
    ("a@-b", false), ("ä@b", false), ("a@b\n", false), ("a@\(String(repeating: "b", count: 64))", false),
  ])
  func `have addresses of that form`(text: String, isRight: Bool) {
    #expect(AccountRules.email(text) == (isRight ? text.lowercased() : nil))
  }

  @Test func `have addresses of at most 255 bytes`() {
    let domain = "@" + String(repeating: "b.", count: 60) + "test"
    let longest = String(repeating: "a", count: 255 - domain.utf8.count) + domain
    #expect(AccountRules.email(longest) == longest && AccountRules.email("a" + longest) == nil)
  }

  @Test(arguments: [(5, false), (6, true), (72, true), (73, false)])
  func `have passwords of 6 to 72 bytes`(length: Int, isRight: Bool) {
    let error = AccountRules.refusal(ofPassword: String(repeating: "p", count: length))
    #expect(error == (isRight ? nil : AccountError(.weakPassword, "Password should be 6 to 72 characters.")))
  }

  @Test func `keep the metadata that an update does not name`() throws {
    var accounts = TestAccounts()
    let made = try accounts.signUp(metadata: [JSON.Member("a", 1), JSON.Member("b", 2), JSON.Member("a", 3)])
    #expect(made.account.metadata == [JSON.Member("b", 2), JSON.Member("a", 3)])
    accounts.wait(7)
    let change = AccountChange(metadata: [JSON.Member("b", .null), JSON.Member("c", "x")])
    guard case .account(let changed) = accounts.ask(.update(accounts.claims(made), change)) else {
      throw CloudError(.internalError, "")
    }
    #expect(changed.metadata == [JSON.Member("a", 3), JSON.Member("c", "x")] && changed.updatedAt == accounts.now)
    accounts.wait(7)
    guard case .account(let same) = accounts.ask(.update(accounts.claims(made), AccountChange())) else {
      throw CloudError(.internalError, "")
    }
    #expect(same == changed, "an update that changes nothing has no time")
  }

  @Test(arguments: [(0, true), (1, false)])
  func `have metadata of at most 64 KiB`(excess: Int, isRight: Bool) throws {
    var accounts = TestAccounts()
    let made = try accounts.signUp()
    let text = String(repeating: "x", count: AccountLimits.metadata - #"{"a":""}"#.utf8.count + excess)
    let change = AccountChange(metadata: [JSON.Member("a", .string(text))])
    #expect(accounts.error(of: .update(accounts.claims(made), change))?.code == (isRight ? nil : .validationFailed))
  }

  @Test func `end their other sessions with a new password`() throws {
    var accounts = TestAccounts()
    let first = try accounts.signUp()
    let second = try accounts.signIn()
    let change = AccountChange(password: PasswordRecord(hash: "new", salt: "s"))
    #expect(accounts.error(of: .update(accounts.claims(second), change)) == nil)
    #expect(accounts.error(of: .read(accounts.claims(first)))?.code == .sessionNotFound)
    #expect(accounts.error(of: .read(accounts.claims(second))) == nil)
    #expect(try AccountServer.password(of: "mara@example.test", in: accounts.store)?.hash == "new")
    let again = AccountChange(password: PasswordRecord(hash: "newer", salt: "s"))
    #expect(accounts.error(of: .change(first.account.id, again)) == nil)
    #expect(accounts.error(of: .read(accounts.claims(second)))?.code == .sessionNotFound)
  }

  @Test func `are made, listed, read and removed by the owner of the server`() throws {
    var accounts = TestAccounts()
    var made: [Account] = []
    for name in ["a", "b", "c"] {
      accounts.wait(1)
      guard case .account(let account) = accounts.ask(.create(AccountChange(email: "\(name)@example.test"))) else {
        throw CloudError(.internalError, "")
      }
      made.append(account)
    }
    #expect(made[0].lastSignInAt == nil)
    #expect(accounts.ask(.list(page: 1, size: 2)) == .accounts(Array(made[..<2]), total: 3))
    #expect(accounts.ask(.list(page: 2, size: 2)) == .accounts([made[2]], total: 3))
    #expect(accounts.ask(.list(page: .max, size: .max)) == .accounts([], total: 3))
    #expect(accounts.ask(.list(page: -1, size: 0)) == .accounts([made[0]], total: 3))
    #expect(accounts.ask(.find(made[1].id)) == .account(made[1]))
    #expect(accounts.ask(.remove(made[1].id)) == .account(made[1]))
    #expect(accounts.error(of: .find(made[1].id)) == AccountError(.userNotFound, "User not found"))
    #expect(accounts.error(of: .remove(made[1].id))?.code == .userNotFound)
    #expect(accounts.error(of: .change(made[1].id, AccountChange()))?.code == .userNotFound)
  }

  @Test func `lose their sessions when they are removed or revoked`() throws {
    var accounts = TestAccounts()
    let mara = try accounts.signUp()
    let ben = try accounts.signUp("ben@example.test")
    #expect(accounts.ask(.endSessions(mara.account.id)) == .account(mara.account))
    #expect(accounts.error(of: .read(accounts.claims(mara)))?.code == .sessionNotFound)
    #expect(accounts.error(of: .remove(ben.account.id)) == nil)
    #expect(accounts.error(of: .read(accounts.claims(ben)))?.code == .sessionNotFound)
    #expect(accounts.refreshError(ben.refreshToken)?.code == .refreshTokenNotFound)
    #expect(try accounts.store.account(mara.account.id) != nil)
  }

  @Test func `are reported in the turn that makes them`() throws {
    var accounts = TestAccounts()
    let signUp = AccountEvent.signUp(
      email: "mara@example.test", TestAccounts.password, metadata: [], from: "home", accounts.token())
    let signedUp = accounts.receive(signUp)
    let made = try #require(signedUp)
    #expect(try accounts.store.account(made)?.account.email == "mara@example.test")
    #expect(accounts.receive(signUp) == nil, "the address is taken")
    let created = accounts.receive(.create(AccountChange(email: "ben@example.test")))
    #expect(try accounts.store.account(email: "ben@example.test")?.account.id == created)
    #expect(accounts.receive(.find(made)) == nil)
  }

  @Test func `are answered after the commit, all with the error of one that failed`() throws {
    var accounts = TestAccounts()
    let made = try accounts.signUp()
    accounts.receive(.read(accounts.claims(made)), ticket: 1)
    accounts.receive(.update(accounts.claims(made), AccountChange(metadata: [JSON.Member("a", 1)])), ticket: 2)
    accounts.receive(.refused(.noBearer), ticket: 3)
    let error = StoreError(.full, "no space left", place: "disk")
    let failure = AccountResponse.failure(.unavailable(error))
    #expect(
      accounts.server.endTurn(error)
        == [.answer(Ticket(1), failure), .answer(Ticket(2), failure), .answer(Ticket(3), failure)])
    #expect(accounts.server.endTurn(nil) == [], "each is answered once")
    guard case .failure(let shown) = failure else { return }
    #expect(shown.code == .unexpectedFailure && shown.retryAfter == 2)
  }

  @Test func `that cannot be read answer with an error that goes away by itself`() throws {
    var accounts = TestAccounts()
    let made = try accounts.signUp()
    accounts.store.readError = StoreError(.failed, "no such device", place: "disk")
    #expect(accounts.error(of: .read(accounts.claims(made)))?.code == .unexpectedFailure)
    #expect(accounts.refreshError(made.refreshToken)?.retryAfter == 2)
    #expect(throws: AccountError.self) {
      try AccountServer.password(of: "mara@example.test", in: accounts.store)
    }
  }

  @Test func `allow a number of tries per address and place within five minutes`() {
    var accounts = TestAccounts(signIns: 3)
    func refusal(_ email: String, _ place: String, at milliseconds: Int64) -> AccountError? {
      accounts.server.admit(email: email, from: place, at: MonotonicTime(milliseconds: milliseconds))
    }
    for step: Int64 in 0..<3 { #expect(refusal("A@b.test", "here", at: step) == nil) }
    let refused = refusal("a@B.test", "here", at: 10)
    #expect(refused?.code == .overRequestRateLimit && refused?.retryAfter == 300)
    #expect(refusal("c@b.test", "here", at: 10) == nil, "others at the same place go on")
    #expect(refusal("a@b.test", "there", at: 10) == nil, "so does the account at another place")
    #expect(refusal("a@b.test", "here", at: 299_999)?.retryAfter == 1)
    #expect(refusal("a@b.test", "here", at: 300_000) == nil)
  }

  @Test func `allow ten times as many tries per address, and per place`() throws {
    var accounts = TestAccounts(signIns: 3)
    let now = MonotonicTime(milliseconds: 0)
    func isRefused(_ email: String, _ place: String) -> Bool {
      accounts.server.admit(email: email, from: place, at: now) != nil
    }
    _ = try accounts.signUp()
    for number in 0..<30 { #expect(!isRefused("a@b.test", "place \(number)")) }
    #expect(isRefused("a@b.test", "another place"))
    for number in 0..<30 { #expect(!isRefused("n\(number)@b.test", "home")) }
    #expect(isRefused("another@b.test", "home"))
    for _ in 0..<3 { #expect(!isRefused("Mara@example.test", "home"), "the account has signed in there") }
    #expect(isRefused("mara@example.test", "home"))
    #expect(!isRefused("another@b.test", "elsewhere") && !isRefused("mara@example.test", "elsewhere"))
  }

  @Test func `count the tries of a bounded number of names, and go on counting those with the most`() {
    var accounts = TestAccounts(signIns: 3)
    let start = MonotonicTime(milliseconds: 0)
    for _ in 0..<3 { #expect(accounts.server.admit(email: "mara@example.test", from: "here", at: start) == nil) }
    for number in 0..<AccountLimits.countedNames {
      #expect(accounts.server.admit(email: "n\(number)@b.test", from: "\(number)", at: start) == nil)
    }
    #expect(accounts.server.admit(email: "new@b.test", from: "new", at: start) == nil, "nobody new is kept out")
    #expect(accounts.server.admit(email: "mara@example.test", from: "here", at: start) != nil)
  }

  @Test func `hash passwords in turns, one for each who tries`() {
    var queue = FairQueue()
    for (number, name) in (["a", "a", "a", "b", "a", "c", "b"] as [Name]).enumerated() {
      queue.add(Ticket(number), of: name)
    }
    var taken: [Int] = []
    while let ticket = queue.next() { taken.append(ticket.number) }
    #expect(taken == [0, 3, 5, 1, 6, 2, 4])
    queue.add(Ticket(7), of: "a")
    #expect(queue.next() == Ticket(7) && queue.next() == nil)
  }
}
