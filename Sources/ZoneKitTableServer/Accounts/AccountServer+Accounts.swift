import ZoneKitRecords
import ZoneKitTables

/// Making, changing and removing accounts.
extension AccountServer {
  /// Makes an account. Throws if its e-mail address is not one, or is that of another account.
  func create(
    _ change: AccountChange, id: UUID? = nil, at now: WallTime, in store: inout some AccountStore,
    using generator: inout some RandomNumberGenerator
  ) throws(AccountError) -> StoredAccount {
    let id = id ?? UUID(using: &generator)
    guard try Self.reading({ () throws(StoreError) in try store.account(id) }) == nil else { throw .identifierTaken }
    let email = try freeEmail(change.email ?? "", in: store)
    let metadata = try AccountRules.metadata([], adding: change.metadata)
    let account = Account(
      id: id, email: email, metadata: metadata, createdAt: now, updatedAt: now)
    let made = StoredAccount(account, password: change.password)
    save(made, in: &store)
    return made
  }

  /// Changes an account. A new password ends its sessions but `session`.
  func apply(
    _ change: AccountChange, to known: StoredAccount, keeping session: UUID?, at now: WallTime,
    in store: inout some AccountStore
  ) throws(AccountError) -> Account {
    var changed = known
    if let email = change.email, AccountRules.email(email) != known.account.email {
      changed.account.email = try freeEmail(email, in: store)
    }
    changed.account.metadata = try AccountRules.metadata(known.account.metadata, adding: change.metadata)
    if let password = change.password { changed.password = password }
    guard changed != known else { return known.account }
    if change.password != nil { try endSessions(of: known.account.id, in: &store) { $0.id != session } }
    changed.account.updatedAt = now
    save(changed, in: &store)
    return changed.account
  }

  /// Removes an account with its sessions and claims.
  func remove(_ id: UUID, in store: inout some AccountStore) throws(AccountError) -> AccountResponse {
    let known = try known(id, in: store)
    var transition = AccountTransition()
    transition.removedAccounts = [id]
    store.stage(transition)
    return .account(known.account)
  }

  /// A page of all accounts.
  func list(page: Int, size: Int, in store: some AccountStore) throws(AccountError) -> AccountResponse {
    let size = min(max(size, 1), AccountLimits.page)
    let (offset, isBeyond) = (max(page, 1) - 1).multipliedReportingOverflow(by: size)
    return try Self.reading { () throws(StoreError) in
      let found = isBeyond ? [] : try store.accounts(after: offset, limit: size)
      return .accounts(found.map(\.account), total: try store.accountCount())
    }
  }

  /// The account of that identifier. Throws if there is none.
  func known(_ id: UUID, in store: some AccountStore) throws(AccountError) -> StoredAccount {
    guard let known = try Self.reading({ () throws(StoreError) in try store.account(id) }) else {
      throw .unknownAccount
    }
    return known
  }

  func save(_ account: StoredAccount, in store: inout some AccountStore) {
    var transition = AccountTransition()
    transition.accounts = [account]
    store.stage(transition)
  }

  /// The e-mail address in lower case. Throws if the text is not one or another account has it.
  private func freeEmail(_ text: String, in store: some AccountStore) throws(AccountError) -> String {
    guard let email = AccountRules.email(text) else { throw .noEmail }
    let other = try Self.reading { () throws(StoreError) in try store.account(email: email) }
    guard other == nil else { throw .emailTaken }
    return email
  }
}
