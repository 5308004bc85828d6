import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// What an administrator does with rows.
extension RowService {
  /// Carries out an operation on the accounts that it is about. `complete` is called once, after the commits, with a
  /// report for each account in the order of their creation.
  func administer(
    _ operation: TableAdministration, complete: @escaping (Result<[JSON], RowError>) -> Void
  ) {
    do throws(RowError) {
      let found = try RowError.reading { () throws(StoreError) in
        try operation.subjects(of: server, accounts.store, databases: zones.databases())
      }
      if let user = operation.user, found.isEmpty { throw .noAccount(user) }
      maintain(operation.maintenance, of: found, complete: complete)
    } catch {
      complete(.failure(error))
    }
  }

  /// Takes an operation on a zone that erases rows, so that it makes events; false if the operation is another one.
  /// `complete` is called once, after the commit.
  func takes(_ request: AdministrationRequest, complete: @escaping (Result<[JSON], RowError>) -> Void) -> Bool {
    let isOfRows: (ZoneID) -> Bool = { [server] in $0.zoneName == server.app.zone }
    guard let account = UUID(request.database.user.text), request.database == server.app.database(of: account) else {
      return false
    }
    switch request.operation {
    case .eraseRecords(let zone) where isOfRows(zone):
      maintain(.erase, of: account) { complete($0.map { _ in [] }) }
      return true
    case .purgeZone(let zone) where isOfRows(zone), .resetEncryptedData(let zone) where isOfRows(zone):
      // The zone ends in the same turn, after the events of its rows were made.
      maintain(.erase, of: account) { _ in }
      return false
    case .eraseRecords, .purgeZone, .resetEncryptedData, .loseZone, .expireZoneTokens, .expireDatabaseTokens,
      .purgeTombstones, .dropSubscription, .muteSubscription, .endPushToken:
      return false
    }
  }

  /// Counts the rows of an account; of all accounts if none is named.
  func count(of user: String?, complete: @escaping (Result<[JSON], RowError>) -> Void) {
    do throws(RowError) {
      let found = try RowError.reading { () throws(StoreError) in
        try accounts.store.accounts(meant: user).map(MaintainedAccount.init)
      }
      if let user, found.isEmpty { throw .noAccount(user) }
      maintain(.count, of: found, complete: complete)
    } catch {
      complete(.failure(error))
    }
  }

  private func maintain(
    _ operation: RowMaintenance, of accounts: [MaintainedAccount],
    complete: @escaping (Result<[JSON], RowError>) -> Void
  ) {
    guard !accounts.isEmpty else { return complete(.success([])) }
    var reports: [JSON] = []
    var failure: RowError?
    var waiting = accounts.count
    for account in accounts {
      maintain(operation, of: account.id) { [server] result in
        switch result {
        case .success(let report):
          if account.isListed(with: report) { reports.append(report.json(of: account, in: server.app.schema)) }
        case .failure(let error): failure = failure ?? error
        }
        waiting -= 1
        if waiting == 0 { complete(failure.map { .failure($0) } ?? .success(reports)) }
      }
    }
  }

  /// Carries out an operation on one account. `complete` is called once, after the commit.
  func maintain(
    _ operation: RowMaintenance, of account: UUID, complete: @escaping (Result<MaintenanceReport, RowError>) -> Void
  ) {
    let now = now().wall
    let (transaction, database, caller) = server.maintenance(operation, of: account, at: now)
    _ = zones.transact(transaction, in: database, from: caller, room: AnswerSize.limit) { [self] result in
      let answer = server.maintenanceAnswer(to: result, of: account)
      if case .success(let report) = answer.report, let needed = report.neededBytes {
        onBytesNeeded?(database, needed)
      }
      complete(answer.report)
      for change in answer.changes { onChanges?(change) }
    }
    for operation in server.forgettings(after: operation, at: now) {
      zones.administer(AdministrationRequest(operation, in: database, from: caller)) { _ in }
    }
  }
}

extension RowError {
  /// Reads the accounts. An error becomes the one that clients see.
  fileprivate static func reading<Value>(_ body: () throws(StoreError) -> Value) throws(RowError) -> Value {
    do throws(StoreError) {
      return try body()
    } catch {
      throw RowError(.storeFailed, "the accounts cannot be read: \(error)")
    }
  }

  fileprivate static func noAccount(_ user: String) -> RowError {
    RowError(.notAllowed, "there is no account \(user)")
  }
}

/// An account whose rows are maintained. It may be gone.
struct MaintainedAccount {
  /// The identifier.
  let id: UUID
  /// The e-mail address; nil if there is no such account.
  let email: String?

  /// An account that exists.
  init(_ account: Account) { (id, email) = (account.id, account.email) }

  /// The identifier of an account that does not exist.
  init(orphan id: UUID) { (self.id, email) = (id, nil) }

  /// Whether the account is among the reports. The folder of one that is gone stays, and is mentioned only if it holds
  /// anything.
  func isListed(with report: MaintenanceReport) -> Bool { email != nil || !report.isEmpty }
}

extension AccountStore {
  /// The account with that e-mail address or identifier, if there is one; all accounts if none is named.
  func accounts(meant user: String?) throws(StoreError) -> [Account] {
    guard let user else { return try accounts(after: 0, limit: .max).map(\.account) }
    if let id = UUID(user) { return try account(id).map { [$0.account] } ?? [] }
    guard let email = AccountRules.email(user) else { return [] }
    return try account(email: email).map { [$0.account] } ?? []
  }
}

extension TableAdministration {
  /// The operation on one account.
  var maintenance: RowMaintenance {
    switch self {
    case .purgeRows(_, let before, let isDryRun): .purge(before: before, isDryRun: isDryRun)
    case .removeRows(_, let records): .remove(records)
    case .raiseHorizon: .raiseHorizon
    case .removeOrphans(let isDryRun): .removeAll(isDryRun: isDryRun)
    }
  }

  /// The accounts on which the operation is carried out. `databases` are all of the cloud.
  func subjects(
    of server: RowServer, _ store: some AccountStore, databases: @autoclosure () throws(StoreError) -> [DatabaseID]
  ) throws(StoreError) -> [MaintainedAccount] {
    switch self {
    case .purgeRows, .removeRows, .raiseHorizon: try store.accounts(meant: user).map(MaintainedAccount.init)
    case .removeOrphans:
      try server.orphans(among: databases(), accounts: store).map(MaintainedAccount.init(orphan:))
    }
  }
}

extension MaintenanceReport {
  /// The report as JSON.
  func json(of account: MaintainedAccount, in schema: TableSchema) -> JSON {
    [
      "user": .string(account.id.text), "email": account.email.map { .string($0) } ?? .null,
      "tables": .array(
        tables.map { rows in
          [
            "name": .string(rows.table.text), "live": .bool(schema.table(rows.table)?.quiet != nil),
            "rows": .integer(Int64(rows.living)), "deleted": .integer(Int64(rows.deleted)),
            "removed": .integer(Int64(rows.removed)), "newest": rows.newest.map { .string($0.iso8601) } ?? .null,
          ]
        }),
      "objects": .integer(Int64(objects)), "conflicts": .integer(Int64(conflicts)),
    ]
  }
}
