import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitStorage

/// Purges the documents of a data directory: with a request to its server if one is running, else in its files.
package struct DocumentDesk {
  private let data: DataDirectory
  private let app: DocumentApp

  /// The documents of an app in a data directory.
  package init(of data: DataDirectory, app: DocumentApp) {
    self.data = data
    self.app = app
  }

  /// The accounts that ever had documents, in ascending order. A server may be running.
  package func accounts() throws(StoresError) -> [Name] {
    guard Folder.exists(data.cloud) else { return [] }
    return try StoresError.from { () throws(StoreError) in try accounts(in: CloudFiles.readOnly(root: data.cloud)) }
  }

  private func accounts(in store: CloudFiles) throws(StoreError) -> [Name] {
    try store.databases().filter { $0 == app.database(of: $0.user) }.map(\.user)
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
    return try HeldFolders.withStoppedCloud(in: data) { (cloud) throws(StoresError) in
      var reports: [(user: Name, report: DocumentPurgeReport)] = []
      for account in known where user == nil || user == account {
        guard case .purged(let result)? = cloud.serve(.purge(purge, of: app, account: account), at: now) else {
          continue
        }
        switch result {
        case .success(let report): reports.append((account, report))
        case .failure(let error): throw .unavailable("\(account): \(error.reason)")
        }
      }
      return reports
    }
  }
}
