import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// One store of accounts under examination, what it was found to do wrong, and the samples it is examined with.
struct AccountStoreTrial<Store: AccountStore> {
  var store: Store
  private(set) var violations: [String] = []

  init(store: Store) { self.store = store }

  mutating func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) {
    if found != wanted { violations.append("\(what): \(found) instead of \(wanted)") }
  }

  mutating func commit() { expect(store.commit(), nil, "the error of a commit that nothing stands against") }

  mutating func reopen(_ reopen: (consuming Store) throws -> Store) throws { store = try reopen(store) }

  func change(_ fill: (inout AccountTransition) -> Void) -> AccountTransition {
    var transition = AccountTransition()
    fill(&transition)
    return transition
  }

  func id(_ number: UInt64) -> UUID { UUID(high: number, low: ~number) }

  /// The account of that number. A greater number was made earlier.
  func account(_ number: UInt64, email: String? = nil) -> StoredAccount {
    let time = WallTime(milliseconds: 1_700_000_000_000 - Int64(number))
    let account = Account(
      id: id(number), email: email ?? "user\(number)@example.test",
      metadata: [JSON.Member("display_name", .string("Ü \(number)"))], createdAt: time, updatedAt: time)
    return StoredAccount(account, password: PasswordRecord(hash: "hash\(number)", salt: "salt"))
  }

  func session(_ number: UInt64, of account: UInt64) -> StoredSession {
    StoredSession(
      id: id(1000 + number), account: id(account), createdAt: WallTime(milliseconds: 100 - Int64(number)),
      refreshedAt: WallTime(milliseconds: 200))
  }

  func token(_ text: String, of session: UInt64, number: Int64 = 1, replacedAt: Int64? = nil) -> StoredRefreshToken {
    StoredRefreshToken(
      hash: TokenHash(text), session: id(1000 + session), number: number,
      replacedAt: replacedAt.map { WallTime(milliseconds: $0) })
  }

  func row(_ key: Name) -> RowName { RowName(table: "persons", key: key) }

  /// Stages account 1 with session 1 and token a, account 2 with session 2 and token b, and a row of each.
  mutating func stageTwo() {
    store.stage(
      change {
        $0.accounts = [account(1), account(2)]
        $0.sessions = [session(1, of: 1), session(2, of: 2)]
        $0.tokens = [token("a", of: 1), token("b", of: 2)]
        $0.claims = [RowClaim(row("x"), by: id(1)), RowClaim(row("y"), by: id(2))]
      })
  }

  /// Expects these accounts of those numbers, each with what `stageTwo` gave it, and nothing of the other.
  mutating func expect(_ numbers: [UInt64], _ what: String) throws {
    expect(try store.accountCount(), numbers.count, "\(what), number of accounts")
    for (number, token, key) in [(1, "a", "x"), (2, "b", "y")] as [(UInt64, String, Name)] {
      let isThere = numbers.contains(number)
      let session = session(number, of: number)
      let known = account(number)
      expect(try store.account(known.account.id), isThere ? known : nil, "\(what), account \(number)")
      expect(
        try store.account(email: known.account.email), isThere ? known : nil, "\(what), account by e-mail \(number)")
      expect(try store.session(session.id), isThere ? session : nil, "\(what), session \(number)")
      expect(try store.sessions(of: known.account.id), isThere ? [session] : [], "\(what), sessions of \(number)")
      let kept = self.token(token, of: number)
      expect(try store.refreshToken(kept.hash), isThere ? kept : nil, "\(what), token \(token)")
      expect(try store.refreshTokens(of: session.id), isThere ? [kept] : [], "\(what), tokens of \(number)")
      expect(try store.owner(of: row(key)), isThere ? id(number) : nil, "\(what), owner of \(key)")
    }
  }
}
