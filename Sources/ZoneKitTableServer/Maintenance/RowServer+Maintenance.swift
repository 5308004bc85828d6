import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// What an administrator does with rows, as transactions of the same turns as everybody's.
extension RowServer {
  /// The transaction of an operation on an account's rows and objects, and the database for which it is submitted.
  package func maintenance(
    _ operation: RowMaintenance, of account: UUID, at now: WallTime
  ) -> (transaction: any ZoneTransaction, database: DatabaseID, caller: Caller) {
    let database = app.database(of: account)
    let transaction = MaintenanceTransaction(app: app, account: account, operation: operation, now: now)
    return (transaction, database, Caller(user: database.user))
  }

  /// The accounts of the databases that the accounts do not have, in ascending order. Their rows and objects were left when
  /// an account was removed, or wait for an account of the same identifier.
  package func orphans(
    among databases: [DatabaseID], accounts: some AccountStore
  ) throws(StoreError) -> [UUID] {
    var orphans: [UUID] = []
    for database in databases {
      guard let account = UUID(database.user.text), database == app.database(of: account),
        try !accounts.hasAccount(account)
      else { continue }
      orphans.append(account)
    }
    return orphans.sorted()
  }

  /// The report of an operation whose transaction has that result, and the changes of rows in tables that make events.
  package func maintenanceAnswer(
    to result: TransactionResult, of account: UUID
  ) -> (report: Result<MaintenanceReport, RowError>, changes: [AccountChanges]) {
    switch result {
    case .done(let answer):
      switch answer.value(as: MaintenanceTransaction.Answer.self) {
      case .done(let report, let changes)?:
        (.success(report), changes.isEmpty ? [] : [AccountChanges(account: account, changes: changes)])
      case .refused(let error)?: (.failure(error), [])
      case nil:
        (.failure(RowError(.notServed, "the answer of the transaction is of another kind; this is a defect")), [])
      }
    case .failed(let error): (.failure(RowError(.storeFailed, error.reason)), [])
    }
  }

  /// The operations on the account's database that forget old deletions, to be submitted after the transaction. An
  /// operation on a missing zone fails; ignore that.
  package func forgettings(after operation: RowMaintenance, at now: WallTime) -> [Administration] {
    switch operation {
    case .count, .remove, .erase, .removeAll, .purge(_, isDryRun: true): []
    case .raiseHorizon:
      [.purgeTombstones(ZoneID(zoneName: app.zone), before: WallTime(milliseconds: .max))]
    case .purge(_, isDryRun: false):
      [app.zone, TableApp.journal, TableApp.objects].map { zone in
        .purgeTombstones(
          ZoneID(zoneName: zone), before: now.advanced(byMilliseconds: -RowMaintenance.deletionLife))
      }
    }
  }
}
