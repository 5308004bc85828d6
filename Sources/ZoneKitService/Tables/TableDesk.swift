import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitStorage
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
    return try stopped(.count(of: user))
  }

  /// Carries out an operation. Returns a report for each account.
  package func perform(_ operation: TableAdministration) throws(StoresError) -> [JSON] {
    if let server = RunningServer.control(in: data) {
      let answer = try ServerControl.ask(server, "POST", "/zonekit/administration", operation.json)
      return answer["accounts"]?.array ?? []
    }
    return try stopped(operation.message)
  }

  private func stopped(_ message: CloudMessage) throws(StoresError) -> [JSON] {
    guard Folder.exists(data.cloud) else { return [] }
    return try HeldFolders.withStoppedCloud(in: data, tables: app) { (cloud) throws(StoresError) in
      guard case .maintained(let result)? = cloud.serve(message, at: SystemClock.wall) else { return [] }
      switch result {
      case .success(let reports): return reports.map { $0.json(in: app.schema) }
      case .failure(let error) where error.kind == .notAllowed: throw .input(error.message)
      case .failure(let error): throw .unavailable(error.message)
      }
    }
  }
}
