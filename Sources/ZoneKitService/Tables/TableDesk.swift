import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// Counts and purges the rows of a data directory: with requests to its server if one is running, else in its files.
package struct TableDesk {
  private let data: DataDirectory
  private let app: TableApp

  /// The rows of an app in a data directory.
  package init(of data: DataDirectory, app: TableApp) {
    self.data = data
    self.app = app
  }

  /// The tables of an account, or of all accounts if none is named: a report for each account.
  package func tables(of user: String?) throws(StoresError) -> [JSON] {
    if let server = RunningServer.control(in: data) {
      let query = user.map { "?account=\(HTTPPercent.encode($0))" } ?? ""
      return try ServerControl.ask(server, "GET", "/zonekit/tables" + query)["accounts"]?.array ?? []
    }
    return try reports(of: .count) { (store, _) throws(StoreError) in
      try store.accounts(meant: user).map(MaintainedAccount.init)
    }
  }

  /// Carries out an operation. Returns a report for each account.
  package func perform(_ operation: TableAdministration) throws(StoresError) -> [JSON] {
    if let server = RunningServer.control(in: data) {
      let answer = try ServerControl.ask(server, "POST", "/zonekit/administration", operation.json)
      return answer["accounts"]?.array ?? []
    }
    return try reports(of: operation.maintenance) { (store, zones) throws(StoreError) in
      try operation.subjects(of: RowServer(app: app), store, databases: zones.databases())
    }
  }

  private func reports(
    of operation: RowMaintenance,
    on subjects: (AccountFiles, CloudFiles) throws(StoreError) -> [MaintainedAccount]
  ) throws(StoresError) -> [JSON] {
    guard Folder.exists(data.cloud) else { return [] }
    return try HeldFolders.holding([data.cloud]) { () throws(StoresError) in
      try StoresError.from { () throws(StoreError) in
        let store = AccountFiles(observing: AccountFiles.path(root: data.cloud, app: app))
        return try stopped(operation, on: subjects(store, CloudFiles.readOnly(root: data.cloud)))
      }
    }
  }

  /// Carries out an operation on accounts in the files of a stopped server. The caller holds the cloud's lock.
  func stopped(_ operation: RowMaintenance, on accounts: [MaintainedAccount]) throws(StoreError) -> [JSON] {
    let (rows, now) = (RowServer(app: app), SystemClock.wall)
    var zones = ZoneServer(store: try CloudFiles(root: data.cloud))
    defer { zones.store.close() }
    var generator = SystemGenerator()
    var reports: [JSON] = []
    for account in accounts {
      let (transaction, database, caller) = rows.maintenance(operation, of: account.id, at: now)
      zones.transact(transaction, ticket: Ticket(1), in: database, from: caller, at: now, using: &generator)
      for operation in rows.forgettings(after: operation, at: now) {
        zones.administer(operation, ticket: Ticket(2), in: database, from: caller, at: now, using: &generator)
      }
      for case .transacted(_, let result) in zones.endTurn(using: &generator) {
        switch rows.maintenanceAnswer(to: result, of: account.id).report {
        case .success(let report):
          if let needed = report.neededBytes { try forget(bytesBut: needed, in: database) }
          if account.isListed(with: report) { reports.append(report.json(of: account, in: app.schema)) }
        case .failure(let error): throw StoreError(.failed, error.message, place: account.email ?? account.id.text)
        }
      }
    }
    return reports
  }

  private func forget(bytesBut needed: Set<String>, in database: DatabaseID) throws(StoreError) {
    let assets = AssetFiles(root: data.cloud)
    for hash in try assets.names(in: database) where !needed.contains(hash) { try assets.remove(hash, in: database) }
  }
}
