import ZoneKitRecords
import ZoneKitTableServer

extension AccountStoreTrial {
  mutating func checkEmpty() throws {
    try expect([], "empty")
    expect(try store.accounts(after: 0, limit: 10), [], "accounts of an empty store")
    commit()
    try expect([], "empty after a commit")
  }

  mutating func checkStagedIsReadable() throws {
    stageTwo()
    try expect([1, 2], "staged")
    commit()
    try expect([1, 2], "committed")
    store.stage(change { $0.removedAccounts = [id(1)] })
    try expect([2], "removal staged")
  }

  mutating func checkCommittedIsDurable(_ reopen: (consuming Store) throws -> Store) throws {
    stageTwo()
    commit()
    try self.reopen(reopen)
    try expect([1, 2], "reopened")
  }

  mutating func checkStagedIsLost(_ reopen: (consuming Store) throws -> Store) throws {
    stageTwo()
    commit()
    store.stage(change { $0.removedAccounts = [id(2)] })
    store.stage(change { $0.claims = [RowClaim(row("z"), by: id(1))] })
    try self.reopen(reopen)
    try expect([1, 2], "reopened")
    expect(try store.owner(of: row("z")), nil, "owner of a row whose claim was only staged")
  }

  mutating func checkClosing(_ reopen: (consuming Store) throws -> Store) throws {
    stageTwo()
    commit()
    store.stage(change { $0.removedAccounts = [id(1)] })
    store.close()
    try self.reopen(reopen)
    try expect([1, 2], "reopened after closing")
  }

  mutating func checkExactContent(_ reopen: (consuming Store) throws -> Store) throws {
    var plain = account(1, email: "a+b@example.test")
    plain.password = nil
    var rich = account(2)
    rich.account.metadata = [
      JSON.Member("z", .array([.number(0.5), .null, .bool(true)])), JSON.Member("a", .object([JSON.Member("", 1)])),
      JSON.Member("nul", .string("\u{0}\u{1F4A9}'\"\\")),
    ]
    rich.account.lastSignInAt = WallTime(milliseconds: -5)
    let used = token("used", of: 1, number: .max, replacedAt: -1)
    store.stage(
      change {
        $0.accounts = [plain, rich]
        $0.sessions = [session(1, of: 1)]
        $0.tokens = [used]
        $0.claims = [RowClaim(RowName(table: "Tä", key: "a/b.c"), by: id(1))]
      })
    commit()
    try self.reopen(reopen)
    expect(try store.account(id(1)), plain, "an account without password and sign-in")
    expect(try store.account(id(2)), rich, "an account with all that there is")
    expect(try store.refreshToken(used.hash), used, "a used token")
    expect(try store.owner(of: RowName(table: "Tä", key: "a/b.c")), id(1), "a claim")
    expect(try store.owner(of: RowName(table: "Tä", key: "A/b.c")), nil, "a claim in other letters")
  }

  mutating func checkReplacing(_ reopen: (consuming Store) throws -> Store) throws {
    stageTwo()
    commit()
    let changed = account(1, email: "new@example.test")
    var later = session(1, of: 1)
    later.refreshedAt = WallTime(milliseconds: 900)
    let used = token("a", of: 1, replacedAt: 5)
    store.stage(
      change {
        $0.accounts = [changed]
        $0.sessions = [later]
        $0.tokens = [used, token("c", of: 1, number: 2)]
      })
    commit()
    try self.reopen(reopen)
    expect(try store.account(id(1)), changed, "a changed account")
    expect(try store.account(email: "user1@example.test"), nil, "the account of an address that was given up")
    expect(try store.session(later.id), later, "a continued session")
    expect(try store.refreshTokens(of: later.id), [used, token("c", of: 1, number: 2)], "a replaced token")
    expect(try store.accountCount(), 2, "number of accounts")
  }

  mutating func checkLists() throws {
    store.stage(
      change {
        $0.accounts = [account(1), account(3), account(2)]
        $0.sessions = [session(1, of: 1), session(3, of: 1), session(2, of: 1), session(4, of: 2)]
        $0.tokens = [token("b", of: 1, number: 2), token("a", of: 1, number: 10), token("c", of: 1, number: 1)]
      })
    expect(try store.accounts(after: 0, limit: 2), [account(3), account(2)], "first page of accounts")
    expect(try store.accounts(after: 2, limit: 2), [account(1)], "second page of accounts")
    expect(try store.accounts(after: 9, limit: 2), [], "a page beyond the end")
    expect(
      try store.sessions(of: id(1)), [session(3, of: 1), session(2, of: 1), session(1, of: 1)], "sessions of an account"
    )
    expect(try store.refreshTokens(of: id(1001)).map(\.hash.text), ["c", "b", "a"], "tokens of a session")
  }

  mutating func checkRemovedSession(_ reopen: (consuming Store) throws -> Store) throws {
    stageTwo()
    store.stage(change { $0.sessions = [session(3, of: 1)] })
    store.stage(change { $0.tokens = [token("c", of: 3)] })
    commit()
    store.stage(change { $0.removedSessions = [id(1003)] })
    store.stage(change { $0.removedTokens = [TokenHash("unknown")] })
    commit()
    try self.reopen(reopen)
    try expect([1, 2], "another session removed")
    expect(try store.refreshToken(TokenHash("c")), nil, "the token of a removed session")
  }

  mutating func checkRemovedAccount(_ reopen: (consuming Store) throws -> Store) throws {
    stageTwo()
    commit()
    for number: UInt64 in [1, 2] { expect(try store.hasAccount(id(number)), true, "there is account \(number)") }
    expect(try store.hasAccount(id(3)), false, "there is account 3")
    store.stage(change { $0.removedAccounts = [id(1)] })
    expect(try store.hasAccount(id(1)), false, "there is an account whose removal is staged")
    commit()
    try self.reopen(reopen)
    try expect([2], "account removed")
    stageTwo()
    commit()
    try expect([1, 2], "account made again")
  }

  mutating func checkClaims(_ reopen: (consuming Store) throws -> Store) throws {
    store.stage(change { $0.claims = [RowClaim(row("x"), by: id(1))] })
    store.stage(change { $0.claims = [RowClaim(row("x"), by: id(2)), RowClaim(row("y"), by: id(2))] })
    expect(try store.owner(of: row("x")), id(1), "the owner of a row that was claimed twice in one turn")
    commit()
    store.stage(change { $0.claims = [RowClaim(row("x"), by: id(2))] })
    commit()
    try self.reopen(reopen)
    expect(try store.owner(of: row("x")), id(1), "the owner of a row that was claimed twice")
    expect(try store.owner(of: row("y")), id(2), "the owner of another row")
  }

  mutating func checkOneEmail() throws {
    stageTwo()
    commit()
    store.stage(change { $0.accounts = [account(3, email: "user1@example.test")] })
    if store.commit() == nil { expect("a commit", "an error", "two accounts with one e-mail address") }
    try expect([1, 2], "after the refused commit")
  }

  mutating func checkFailedCommit(
    _ reopen: (consuming Store) throws -> Store, _ failNextCommit: (inout Store) throws -> Void
  ) throws {
    stageTwo()
    commit()
    try failNextCommit(&store)
    store.stage(change { $0.removedAccounts = [id(1)] })
    if store.commit() == nil { expect("a commit", "an error", "a commit that was made to fail") }
    try expect([1, 2], "after the failed commit")
    store.stage(change { $0.removedAccounts = [id(2)] })
    commit()
    try expect([1], "after the next commit")
    try self.reopen(reopen)
    try expect([1], "reopened")
  }
}
