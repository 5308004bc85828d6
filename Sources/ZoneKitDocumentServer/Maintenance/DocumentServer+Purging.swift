import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

/// What an administrator removes for good.
extension DocumentServer {
  /// The name of the server among the devices.
  static let deviceID = "server"

  /// The purge of an account: a transaction for its database, and who submits it.
  package func purging(
    _ purge: DocumentPurge, of user: Name, at now: WallTime
  ) -> (transaction: any ZoneTransaction, database: DatabaseID, caller: Caller) {
    let database = app.database(of: user)
    return (PurgeTransaction(app: app, purge: purge, database: database, now: now), database, Caller(user: user))
  }

  /// The report of a purge whose transaction has that result.
  package func purgeReport(of result: TransactionResult) -> Result<DocumentPurgeReport, CloudError> {
    switch result {
    case .done(let answer):
      answer.value(as: DocumentPurgeReport.self).map { .success($0) }
        ?? .failure(CloudError(.internalError, "the answer of the transaction is of another kind; this is a defect"))
    case .failed(let error): .failure(error)
    }
  }

  /// The operations on the account's database that forget old tombstones, to be submitted after the transaction. An
  /// operation on a missing zone fails; ignore that.
  package func forgettings(after purge: DocumentPurge) -> [Administration] {
    guard !purge.isDryRun else { return [] }
    return DocumentFeed.allCases.map {
      .purgeTombstones(ZoneID(zoneName: app.zone(of: $0)), before: purge.tombstonesBefore)
    }
  }
}
