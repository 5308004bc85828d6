import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// The rows of an app's accounts. It turns requests into transactions, which the service submits to the `ZoneServer` of
/// the turn, and their results into answers.
package struct RowServer {
  /// The app whose rows these are.
  package let app: TableApp
  /// The limits of requests.
  package var limits: RowLimits
  /// What functions know of the rows of accounts.
  var functionStates = FunctionStates()

  /// A server of that app's rows.
  package init(app: TableApp, limits: RowLimits = RowLimits()) {
    self.app = app
    self.limits = limits
  }

  /// A request arrived. Keys that a write lacks are drawn, and the claims of its rows are staged in `accounts`, which
  /// has to be committed before the transaction is.
  package func receive(
    _ request: RowRequest, demands: RowDemands = RowDemands(), from caller: RowCaller, at now: WallTime,
    accounts: inout some AccountStore, using generator: inout some RandomNumberGenerator
  ) -> TransactionReception<RowResponse> {
    do {
      return try accepted(request, demands, from: caller, at: now, accounts: &accounts, using: &generator)
    } catch {
      switch error {
      case .refused(let error): return .answer(.refused(error))
      case .store(let error): return .answer(.refused(Self.failed(error)))
      }
    }
  }

  /// The answer to a request whose transaction has that result, and the changes of rows in tables that make events.
  package func answer(to result: TransactionResult) -> (response: RowResponse, changes: [AccountChanges]) {
    switch result {
    case .done(let answer):
      guard let answer = answer.value(as: RowTransaction.Answer.self) else {
        return (
          .refused(RowError(.notServed, "the answer of the transaction is of another kind; this is a defect")), []
        )
      }
      return (answer.response, answer.changes)
    case .failed(let error):
      let kind: RowError.Kind = error.code == .limitExceeded ? .tooMuchWork : .storeFailed
      return (.refused(RowError(kind, error.reason)), [])
    }
  }

  /// The request with which the server makes an account's own row, unless it exists; nil if the app has no such table.
  /// A row made by a user is later than it.
  package func profile(of account: UUID, name: String?) -> RowRequest? {
    guard let profile = app.profile else { return nil }
    var content = RowContent([.id: .uuid(account), .editedAt: .timestamp(WallTime(milliseconds: 0))])
    if let name { content[profile.name] = .text(name) }
    return .write(profile.table, RowWrite([content], resolution: .ignore))
  }

  private enum Refusal: Error {
    case refused(RowError)
    case store(StoreError)
  }

  private static func failed(_ error: StoreError) -> RowError {
    RowError(.storeFailed, "the accounts cannot be read: \(error)")
  }

  // MARK: Accepting

  private func accepted(
    _ request: RowRequest, _ demands: RowDemands, from caller: RowCaller, at now: WallTime,
    accounts: inout some AccountStore, using generator: inout some RandomNumberGenerator
  ) throws(Refusal) -> TransactionReception<RowResponse> {
    if let own = OwnTable(request.table) {
      guard case .read(_, let query, isHead: _) = request else {
        throw .refused(RowError(.notAllowed, "permission denied for table \(request.table)"))
      }
      if own == .publications { return .answer(publications(query, demands)) }
    } else if app.schema.table(request.table) == nil {
      throw .refused(.unknownTable(request.table))
    }
    var transaction = RowTransaction(
      app: app, request: request, demands: demands, accounts: [], now: now, limits: limits)
    switch caller.role {
    case .anonymous:
      guard case .read = request else {
        throw .refused(
          RowError(.notSignedIn, "new row violates row-level security policy for table \"\(request.table)\""))
      }
      return .answer(
        demands.isSingle ? .refused(.notOne(0)) : .done(RowResult(.rows([]), total: demands.countsRows ? 0 : nil)))
    case .account(let account):
      transaction.accounts = [account]
    case .service:
      transaction.accounts = try allAccounts(accounts)
    }
    if case .write(_, let write) = request, write.rows.isEmpty { return .answer(.done(RowResult(.rows([])))) }
    if case .write(let name, let write) = request, let table = app.schema.table(name) {
      transaction = try completed(
        transaction, write, of: table, from: caller, accounts: &accounts, using: &generator)
    } else if case .update(let name, let content, let query) = request, let table = app.schema.table(name) {
      transaction.request = .update(name, try changeable(content, of: table, by: caller), query)
    }
    let first = transaction.accounts.first ?? UUID(high: 0, low: 0)
    return .submit(
      transaction, in: app.database(of: first), from: Caller(user: Name(first.text), deviceID: caller.deviceID))
  }

  private func allAccounts(_ accounts: some AccountStore) throws(Refusal) -> [UUID] {
    do {
      return try accounts.accounts(after: 0, limit: .max).map(\.account.id).sorted()
    } catch {
      throw .store(error)
    }
  }

  /// The table of tables that make events, which everyone may read.
  private func publications(_ query: RowQuery, _ demands: RowDemands) -> RowResponse {
    let table = OwnTable.publications.table
    let rows = app.schema.tables.filter { $0.quiet != nil }.map { live in
      Row([.text("supabase_realtime"), .text("public"), .text(live.name.text)])
    }
    let found = query.sorted(rows.filter { query.isFulfilled(by: $0, of: table) }, of: table)
    if demands.isSingle, found.count != 1 { return .refused(.notOne(found.count)) }
    let shown = Array(found.dropFirst(query.offset).prefix(query.limit ?? .max))
    return .done(RowResult(.rows(shown), total: demands.countsRows ? found.count : nil))
  }

  /// The columns that a caller may change. Columns of the server without a value count as not named.
  private func changeable(
    _ content: RowContent, of table: Table, by caller: RowCaller
  ) throws(Refusal) -> RowContent {
    var content = content
    for column in [.id, .ownerID, .createdAt, .updatedAt] as [Name] where content[column] == .null {
      content[column] = nil
    }
    if case .account(let account) = caller.role, let owner = content[.ownerID], owner != .uuid(account) {
      throw .refused(.foreignRow(of: table.name))
    }
    return content
  }

  // MARK: Rows to write

  /// A write whose rows have keys and accounts, with the claims of those rows.
  private func completed(
    _ transaction: RowTransaction, _ write: RowWrite, of table: Table, from caller: RowCaller,
    accounts: inout some AccountStore, using generator: inout some RandomNumberGenerator
  ) throws(Refusal) -> RowTransaction {
    guard write.rows.count <= limits.writtenRows else {
      throw .refused(
        RowError(
          .unreadableBody, "\(write.rows.count) rows in one request, at most \(limits.writtenRows) are allowed"))
    }
    var transaction = transaction
    var rows: [RowContent] = []
    var claims: [RowClaim] = []
    var seen: Set<RowKey> = []
    for content in write.rows {
      var content = try changeable(content, of: table, by: caller)
      if table.key == [.id], content[.id] == nil {
        content[.id] = .uuid(table.ownKey(of: caller) ?? UUID(using: &generator))
      }
      guard let key = content.key(of: table) else {
        let missing = table.key.first { content[$0]?.uuid == nil } ?? .id
        throw .refused(.missing(missing, of: table.name))
      }
      if !seen.insert(key).inserted, let error = write.resolution.error(forSecond: key, of: table) {
        throw .refused(error)
      }
      let account = try self.account(of: content, in: table, from: caller, accounts)
      // A row that would be inserted is complete, also where it turns out to be there already.
      if let missing = table.missing(in: content) { throw .refused(.missing(missing, of: table.name)) }
      let row = RowName(table: table.name, key: Name(key.text))
      switch try owner(of: row, accounts) {
      case nil: claims.append(RowClaim(row, by: account))
      case account: break
      case .some: transaction.foreign.insert(key.recordName(in: table.name))
      }
      if case .row(let column) = table.ownership,
        let owner = try foreignOwner(content, column, table, account, accounts)
      {
        transaction.foreign.insert(owner)
      }
      rows.append(content)
      transaction.owners.append(account)
    }
    if !claims.isEmpty {
      var transition = AccountTransition()
      transition.claims = claims
      accounts.stage(transition)
    }
    transaction.accounts = Set(transaction.owners).sorted()
    transaction.request = .write(table.name, RowWrite(rows, resolution: write.resolution))
    return transaction
  }

  /// The account to which a row to write belongs.
  private func account(
    of content: RowContent, in table: Table, from caller: RowCaller, _ accounts: some AccountStore
  ) throws(Refusal) -> UUID {
    if case .account(let account) = caller.role {
      if case .account(let column) = table.ownership, let named = content[column], named != .uuid(account) {
        throw .refused(.foreignRow(of: table.name))
      }
      return account
    }
    switch table.ownership {
    case .account(let column):
      guard let account = content[column]?.uuid else { throw .refused(.missing(column, of: table.name)) }
      return account
    case .row(let column):
      guard let id = content[column]?.uuid, let owner = table.column(column)?.foreignKey?.table else {
        throw .refused(.missing(column, of: table.name))
      }
      let row = RowName(table: owner, key: Name(id.text))
      guard let account = try self.owner(of: row, accounts) else {
        throw .refused(.noTarget(column, id.text, of: table.name, in: owner))
      }
      return account
    }
  }

  /// The record of the owner row that a row names, if it belongs to another account.
  private func foreignOwner(
    _ content: RowContent, _ column: Name, _ table: Table, _ account: UUID, _ accounts: some AccountStore
  ) throws(Refusal) -> Name? {
    guard let id = content[column]?.uuid, let owner = table.column(column)?.foreignKey?.table,
      let claimed = try self.owner(of: RowName(table: owner, key: Name(id.text)), accounts), claimed != account
    else { return nil }
    return RowKey([id]).recordName(in: owner)
  }

  private func owner(of row: RowName, _ accounts: some AccountStore) throws(Refusal) -> UUID? {
    do {
      return try accounts.owner(of: row)
    } catch {
      throw .store(error)
    }
  }
}

extension Table {
  /// A required column that a new row of that content would have no value for; nil if there is none. The server fills in
  /// the owner.
  fileprivate func missing(in content: RowContent) -> Name? {
    columns.first { column in
      column.isRequired && column.name != .ownerID && content[column.name] ?? column.defaultValue == .null
    }?.name
  }

  /// The key of the caller's own row, in a table with one row for each account; nil for others.
  fileprivate func ownKey(of caller: RowCaller) -> UUID? {
    guard ownership == .account(column: .id), case .account(let account) = caller.role else { return nil }
    return account
  }
}

extension RowWrite.Resolution {
  /// The error for a second row of the same key in one request; nil if that is allowed.
  fileprivate func error(forSecond key: RowKey, of table: Table) -> RowError? {
    switch self {
    case .merge: RowError(.rowTwice, "ON CONFLICT DO UPDATE command cannot affect row a second time")
    case .refuse: .duplicate(key.words(in: table), in: table.name)
    case .ignore: nil
    }
  }
}
