import ZoneKitEventLoop
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
      try AccountService.list(AccountFiles(observing: path))
    }
  }

  /// Carries out an operation. Throws an input error if it is refused.
  package func perform(_ operation: AccountAdministration) throws(StoresError) {
    if let server = RunningServer.control(in: data) {
      _ = try ServerControl.ask(server, "POST", "/zonekit/administration", operation.json)
      return
    }
    var response: AccountResponse?
    try HeldFolders.holding([data.cloud]) { () throws(StoresError) in
      let accounts = try StoresError.from { () throws(StoreError) in
        AccountService(
          limits: AccountLimits(),
          access: TableAccess(
            keys: try ServiceKeys(of: data.cloud, at: SystemClock.wall),
            accounts: AccountFiles(root: data.cloud, app: app), isOpen: false), on: nil
        ) { Moment(wall: SystemClock.wall, monotonic: MonotonicTime(milliseconds: 0)) }
      }
      var removed: [MaintainedAccount] = []
      accounts.onRemoved = { removed.append(MaintainedAccount(orphan: $0)) }
      accounts.administer(operation) { response = $0 }
      accounts.commit()
      accounts.answer()
      accounts.close()
      try StoresError.from { () throws(StoreError) in
        _ = try TableDesk(of: data, app: app).stopped(.removeAll(isDryRun: false), on: removed)
      }
    }
    guard case .failure(let error)? = response else { return }
    throw error.code == .unexpectedFailure ? .unavailable(error.message) : .input(error.message)
  }
}
