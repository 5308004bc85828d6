import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService
import ZoneKitWire

/// Accounts. A server of tables keeps accounts of its own, which have e-mail addresses, passwords and identifiers. Any
/// other server takes every name for an account.
extension ProcessWorld {
  /// The password of all accounts at a server of tables.
  static let password = "password"

  /// The app of a device with the account of that identifier; that of the world if there is none.
  func app(ofAccount id: Name) -> DeviceApp {
    devices.first { device in device.account.map { (accountIDs[$0] ?? Name($0)) == id } ?? false }?.app ?? app
  }

  /// The name under which the cloud keeps an app's data of an account. An account at a server of tables is made if there is
  /// none.
  func id(ofAccount name: String, of app: DeviceApp) throws(ProcessFailure) -> Name {
    guard app.hasTables else { return Name(name) }
    if let known = accountIDs[name] { return known }
    guard server != nil else { throw .refused("the account \(name) cannot be made while the server does not run") }
    let email = ScenarioAccount.email(of: name)
    let made = try admin.account(ofEmail: email)
    // Scenarios may name the identifier that virtual time gives the account.
    let id = made ?? app.account(named: name)
    if made == nil {
      try admin.administer(AccountAdministration.add(email: email, password: Self.password, id: UUID(id.text)))
    }
    accountIDs[name] = id
    return id
  }

  /// Signs an account in on a device; signs out if nil. A device of tables that is not running does so at its next start.
  func signIn(_ account: String?, on device: ProcessDevice) throws(ProcessFailure) {
    device.account = account
    guard device.isRunning else { return }
    if device.app.hasTables { return try signInToTables(device) }
    try say("account \(account ?? "none")", to: device)
  }

  /// Makes a new account as the user of a device of tables.
  func signUp(_ account: String, on device: ProcessDevice) throws(ProcessFailure) {
    device.account = account
    try converse("signup \(ScenarioAccount.email(of: account)) \(Self.password)", with: device)
  }

  /// Signs the account of a device in, after the one that is signed in, if that is another one.
  func signInToTables(_ device: ProcessDevice) throws(ProcessFailure) {
    let wanted = device.account.map(ScenarioAccount.email(of:))
    let present = try status(of: device)["email"]?.string
    guard present != wanted else { return }
    if present != nil { try converse("signout --discard", with: device) }
    guard let account = device.account, let wanted else { return }
    _ = try id(ofAccount: account, of: device.app)
    try converse("signin \(wanted) \(Self.password)", with: device)
  }
}
