import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitStorage

/// Purges the documents of a data directory: with a request to its server if one is running, else in its files.
package struct DocumentDesk {
  private let data: DataDirectory
  private let server: DocumentServer

  /// The documents of an app in a data directory.
  package init(of data: DataDirectory, app: DocumentApp) {
    self.data = data
    server = DocumentServer(app: app)
  }

  /// The accounts that ever had documents, in ascending order. A server may be running.
  package func accounts() throws(StoresError) -> [Name] {
    guard Folder.exists(data.cloud) else { return [] }
    return try StoresError.from { () throws(StoreError) in try accounts(in: CloudFiles.readOnly(root: data.cloud)) }
  }

  private func accounts(in store: CloudFiles) throws(StoreError) -> [Name] {
    try store.databases().filter { $0 == server.app.database(of: $0.user) }.map(\.user)
  }

  /// Purges the documents of an account, or of all accounts if none is named. Returns a report for each. Throws an input
  /// error that lists the accounts if there is none of that name.
  package func perform(
    _ purge: DocumentPurge, of user: Name?, at now: WallTime
  ) throws(StoresError) -> [(user: Name, report: DocumentPurgeReport)] {
    let known = try accounts()
    if let user, !known.contains(user) {
      let names = known.map(\.text).joined(separator: ", ")
      throw .input(
        "no documents of \(user) are in \(data.cloud); there are those of \(names.isEmpty ? "nobody" : names)")
    }
    guard !known.isEmpty else { return [] }
    if let server = RunningServer.control(in: data) {
      let body = purge.administration(of: user).json
      let answer = try ServerControl.ask(server, "POST", "/zonekit/administration", body)
      return (answer["accounts"]?.array ?? []).map { (Name($0["user"]?.string ?? ""), DocumentPurgeReport($0)) }
    }
    return try HeldFolders.holding([data.cloud]) { () throws(StoresError) in
      try StoresError.from { () throws(StoreError) in
        try perform(purge, on: known.filter { user == nil || user == $0 }, at: now)
      }
    }
  }

  private func perform(
    _ purge: DocumentPurge, on accounts: [Name], at now: WallTime
  ) throws(StoreError) -> [(user: Name, report: DocumentPurgeReport)] {
    var zones = ZoneServer(store: try CloudFiles(root: data.cloud))
    defer { zones.store.close() }
    var generator = SystemGenerator()
    var reports: [(user: Name, report: DocumentPurgeReport)] = []
    for user in accounts {
      let (transaction, database, caller) = server.purging(purge, of: user, at: now)
      zones.transact(transaction, ticket: Ticket(1), in: database, from: caller, at: now, using: &generator)
      for operation in server.forgettings(after: purge) {
        zones.administer(operation, ticket: Ticket(2), in: database, from: caller, at: now, using: &generator)
      }
      for case .transacted(_, let result) in zones.endTurn(using: &generator) {
        switch server.purgeReport(of: result) {
        case .success(let report): reports.append((user, report))
        case .failure(let error): throw StoreError(.failed, error.reason, place: user.text)
        }
      }
    }
    return reports
  }
}
