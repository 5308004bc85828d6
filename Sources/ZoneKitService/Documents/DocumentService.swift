import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// The documents of an app's accounts as a service. Its transactions are part of the turns of the `ZoneService`, so that
/// one commit keeps the changes of all protocols.
final class DocumentService {
  private var server: DocumentServer
  private let zones: ZoneService<CloudFiles>
  private let now: () -> Moment

  /// The documents of that app.
  init(of app: DocumentApp, zones: ZoneService<CloudFiles>, now: @escaping () -> Moment) {
    server = DocumentServer(app: app)
    self.zones = zones
    self.now = now
  }

  /// The app.
  var app: DocumentApp { server.app }

  /// The time of the server.
  var time: WallTime { now().wall }

  /// Takes in a request. `answer` is called once, in this turn, after the commit. `room` is the number of bytes that the
  /// answer may have. Feeds show commits from the age of `visibleDelay` milliseconds on. Returns how much of the turn the
  /// request takes.
  func receive(
    _ request: DocumentRequest, from caller: Caller, visibleDelay: Int64, room: Int,
    answer: @escaping (DocumentResponse) -> Void
  ) -> TurnCost {
    let reception = server.receive(request, from: caller, at: now().wall, visibleDelay: visibleDelay)
    return zones.carryOut(reception, room: room, answer: answer) { [self] result, _ in
      server.keep(result)
      answer(server.answer(to: result))
    }
  }

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
      carryOut(purge, of: user) { result in
        reports.append(result.map { $0.json(of: user) })
        guard reports.count == accounts.count else { return }
        complete(
          Result { () throws(CloudError) in try reports.map { (report) throws(CloudError) in try report.get() } })
      }
    }
  }

  private func carryOut(
    _ purge: DocumentPurge, of user: Name, complete: @escaping (Result<DocumentPurgeReport, CloudError>) -> Void
  ) {
    let (transaction, database, caller) = server.purging(purge, of: user, at: now().wall)
    _ = zones.transact(transaction, in: database, from: caller, room: AnswerSize.limit) { [self] result in
      server.keep(result)
      complete(server.purgeReport(of: result))
    }
    for operation in server.forgettings(after: purge) {
      // One of a zone that does not exist fails, which means nothing.
      zones.administer(AdministrationRequest(operation, in: database, from: caller)) { _ in }
    }
  }
}
