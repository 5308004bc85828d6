import ZoneKitRecords
import ZoneKitSync

/// The accounts of devices.
extension World {
  /// Signs another account in, or out if nil. A process that is not running finds out when it starts.
  ///
  /// The user of an app with tables signs in and out inside the app, so nothing happens if that is not running.
  package mutating func signIn(_ device: Int, _ account: Name?) {
    guard !devices[device].hasTables else { return signInToTables(device, account) }
    devices[device].account = account
    log(.accountSet, of: device)
    note(.device(device), .account, account.map { "signed in as \($0)" } ?? "signed out")
    guard devices[device].isRunning else { return }
    do throws(StoreError) {
      try attempt(
        device,
        acting: { (process, moment) throws(StoreError) in try process.changeAccount(to: account, at: moment) })
    } catch {
      failed(device, error)
      log(.everythingShown, of: device)
    }
  }
}
