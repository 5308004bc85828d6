import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// Lists and changes the accounts of a data directory: with requests to its server if one is running, else in its file.
package struct AccountDesk {
  private let data: DataDirectory
  private let app: TableApp

  /// The accounts of an app in a data directory.
  package init(of data: DataDirectory, app: TableApp) {
    self.data = data
    self.app = app
  }

  /// All accounts, in the order of their creation: `id`, `email`, `createdAt`, `lastSignInAt` and the number of
  /// `sessions`.
  package func list() throws(StoresError) -> [JSON] {
    if let server = RunningServer.control(in: data) {
      return try ServerControl.ask(server, "GET", "/zonekit/accounts")["accounts"]?.array ?? []
    }
    let path = AccountFiles.path(root: data.cloud, app: app)
    return try StoresError.from { () throws(StoreError) in
      try AccountFiles(observing: path).list()
    }
  }

  /// Carries out an operation. Throws an input error if it is refused.
  package func perform(_ operation: AccountAdministration) throws(StoresError) {
    if let server = RunningServer.control(in: data) {
      _ = try ServerControl.ask(server, "POST", "/zonekit/administration", operation.json)
      return
    }
    let response = try HeldFolders.withStoppedCloud(in: data, tables: app) { (cloud) throws(StoresError) in
      try perform(operation, in: &cloud)
    }
    guard case .failure(let error)? = response else { return }
    throw error.code == .unexpectedFailure ? .unavailable(error.message) : .input(error.message)
  }

  private func perform(
    _ operation: AccountAdministration, in cloud: inout StoppedCloud
  ) throws(StoresError) -> AccountResponse? {
    guard let accounts = cloud.accounts else { return nil }
    // No account is added to a folder whose keys are lost.
    _ = try StoresError.from { () throws(StoreError) in try ServiceKeys(of: data.cloud, at: SystemClock.wall) }
    var record: PasswordRecord?
    if case .add(_, let password, _) = operation {
      record = PasswordHash.record(of: password)
      guard record != nil else { throw .unavailable("the password was not hashed; this is a defect") }
    }
    let answer = cloud.serve(.account(operation.event(in: accounts, record)), at: SystemClock.wall)
    guard case .account(let response)? = answer else { return nil }
    return response
  }
}
