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
    maintain(operation.maintenance, of: operation.user, complete: complete)
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
    maintain(.count, of: user, complete: complete)
  }

  private func maintain(
    _ operation: RowMaintenance, of user: String?, complete: @escaping (Result<[JSON], RowError>) -> Void
  ) {
    let accounts: [Account]
    do throws(RowError) {
      accounts = try self.accounts(named: user)
    } catch {
      return complete(.failure(error))
    }
    guard !accounts.isEmpty else { return complete(.success([])) }
    var reports: [JSON] = []
    var failure: RowError?
    var waiting = accounts.count
    for account in accounts {
      maintain(operation, of: account.id) { [server] result in
        switch result {
        case .success(let report): reports.append(report.json(of: account, in: server.app.schema))
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

  /// The account with that e-mail address or identifier; all accounts if none is named.
  private func accounts(named user: String?) throws(RowError) -> [Account] {
    let found: [Account]
    do throws(StoreError) {
      found = try accounts.store.accounts(meant: user)
    } catch {
      throw RowError(.storeFailed, "the accounts cannot be read: \(error)")
    }
    if let user, found.isEmpty { throw RowError(.notAllowed, "there is no account \(user)") }
    return found
  }
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
    }
  }
}

extension MaintenanceReport {
  /// The report as JSON.
  func json(of account: Account, in schema: TableSchema) -> JSON {
    [
      "user": .string(account.id.text), "email": .string(account.email),
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
