import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// The part of a cloud's process that serves an app's tables: accounts, rows, functions and objects.
package struct CloudTables<Accounts: AccountStore> {
  /// The rows.
  package var rows: RowServer
  /// The accounts.
  package var accounts: AccountServer
  /// Where accounts, sessions and the claims of rows are kept.
  package var store: Accounts
  let objects: ObjectServer
  /// The tables of a schema of a user's own; nil if there are none.
  package var relations: CloudRelations?
  /// The realtime sockets.
  var channels: CloudChannels
  /// The bytes of objects that this turn needs and releases.
  var bytes = ObjectTurn()
  /// The number of rows of each verdict since the start.
  package private(set) var verdicts: [RowVerdict: Int] = [:]
  /// The accounts whose own row exists or is being made.
  private var profiled: Set<UUID> = []

  /// The tables of that app over a store of accounts.
  package init(of app: TableApp, store: Accounts, limits: AccountLimits) {
    rows = RowServer(app: app)
    objects = ObjectServer(app: app)
    accounts = AccountServer(limits: limits)
    channels = CloudChannels(app.schema)
    self.store = store
  }

  /// The app.
  package var app: TableApp { rows.app }

  /// The database that keeps the bytes of objects of a schema's buckets, which belong to no account.
  package static func objectDatabase(of app: TableApp) -> DatabaseID { app.database(of: UUID(high: 0, low: 0)) }

  /// The database that keeps the bytes of objects of the schema's buckets.
  var objectDatabase: DatabaseID { Self.objectDatabase(of: app) }

  /// The database that keeps the bytes of an object; nil if it belongs to no account.
  package func database(of object: StoredObject) -> DatabaseID? {
    guard relations == nil else { return objectDatabase }
    return ObjectPath(object.path).map { app.database(of: $0.account) }
  }

  /// A request for rows arrived.
  mutating func receive(
    _ request: RowRequest, _ demands: RowDemands, limits: RowLimits? = nil, from caller: RowCaller, at now: WallTime,
    using generator: inout some RandomNumberGenerator
  ) -> TransactionReception<RowResponse> {
    var rows = rows
    if let limits { rows.limits = limits }
    return rows.receive(request, demands: demands, from: caller, at: now, accounts: &store, using: &generator)
  }

  /// A verified request to the accounts arrived. Returns the account that it makes, and the one that it makes, changes or
  /// removes; nil for none.
  mutating func receive(
    _ event: AccountEvent, ticket: Ticket, at now: WallTime, using generator: inout some RandomNumberGenerator
  ) -> (made: UUID?, changed: UUID?) {
    accounts.receive(event, ticket: ticket, at: now, in: &store, using: &generator)
  }

  /// Takes back an account that a request of this turn has made, and answers the request with an error.
  mutating func takeBack(_ account: UUID, of ticket: Ticket, _ error: AccountError) {
    accounts.takeBack(account, of: ticket, error, in: &store)
  }

  /// The answers to the requests to the accounts of this turn, whose commit failed with that error; nil if it was made.
  mutating func answers(_ failure: StoreError?) -> [TurnEffect] {
    accounts.endTurn(failure).map { effect in
      switch effect {
      case .answer(let ticket, let response): .account(ticket, response)
      }
    }
  }

  /// The answer to a request for rows, and the committed changes.
  mutating func answer(to result: TransactionResult) -> (response: RowResponse, changes: [AccountChanges]) {
    let answer = rows.answer(to: result)
    if case .done(let found) = answer.response {
      for verdict in found.verdicts { verdicts[verdict, default: 0] += 1 }
    }
    return answer
  }

  /// The names of an account for the conditions of faults; none for nil.
  package func users(_ account: UUID?) -> [Name] {
    let known = account.flatMap { try? store.account($0) }
    return FaultSubject.users(account, email: known?.account.email)
  }

  /// The request that makes an account's own row; nil if the row exists or is being made, or if the app has no such table.
  mutating func profile(of account: UUID) -> RowRequest? {
    guard !profiled.contains(account) else { return nil }
    let known = try? store.account(account)
    let name = known?.account.metadata.last { $0.key == "display_name" }?.value.string
    guard let request = rows.profile(of: account, name: name) else { return nil }
    profiled.insert(account)
    return request
  }

  /// An account's own row was not made, or the account was removed.
  mutating func forgetProfile(of account: UUID) { profiled.remove(account) }

  /// The accounts to be maintained. `databases` are all of the cloud.
  func accounts(
    _ meant: MaintainedAccounts, databases: () throws(StoreError) -> [DatabaseID]
  ) throws(RowError) -> [MaintainedAccount] {
    do throws(StoreError) {
      switch meant {
      case .all: return try store.accounts(after: 0, limit: .max).map { MaintainedAccount($0.account) }
      case .account(let id): return [MaintainedAccount(orphan: id)]
      case .orphans:
        return try rows.orphans(among: databases(), accounts: store).map(MaintainedAccount.init(orphan:))
      case .named(let user):
        if let account = try store.account(meant: user) { return [MaintainedAccount(account)] }
      }
    } catch {
      throw RowError(.storeFailed, "the accounts cannot be read: \(error)")
    }
    guard case .named(let user) = meant else { return [] }
    throw RowError(.notAllowed, "there is no account \(user)")
  }
}
