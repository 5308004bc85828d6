import ZoneKitCloudProcess
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// The maintenance of the documents of an app's accounts.
struct DocumentService {
  /// The app.
  let app: DocumentApp
  /// The cloud.
  let zones: FileZoneService

  /// Purges the documents of an account, or of all accounts if none is named. `complete` is called once, after the commits,
  /// with a report for each account in ascending order.
  func administer(
    _ operation: DocumentAdministration, complete: @escaping (Result<[JSON], CloudError>) -> Void
  ) {
    let accounts: [Name]
    do throws(StoreError) {
      accounts = try zones.databases().filter { database in
        database == app.database(of: database.user) && (operation.user ?? database.user) == database.user
      }.map(\.user)
    } catch {
      return complete(.failure(CloudError(.internalError, "\(error)")))
    }
    guard !accounts.isEmpty else { return complete(.success([])) }
    let purge = DocumentPurge(operation)
    var reports: [Result<JSON, CloudError>] = []
    for user in accounts {
      zones.receive(.purge(purge, of: app, account: user), from: CloudSender(Caller(user: user))) { reply in
        guard case .purged(let result)? = reply.answer else { return }
        reports.append(result.map { $0.json(of: user) })
        guard reports.count == accounts.count else { return }
        complete(
          Result { () throws(CloudError) in try reports.map { (report) throws(CloudError) in try report.get() } })
      }
    }
  }
}
