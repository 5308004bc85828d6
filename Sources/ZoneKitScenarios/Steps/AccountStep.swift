/// A step that changes the account of a device.
package enum AccountStep: Hashable, Sendable {
  /// `A signs out`.
  case signOut(DeviceChoice)
  /// `A signs in as nanny`, after a sign-out.
  case signIn(DeviceChoice, String)
  /// `A signs up as nanny`: the user makes an account with an app that has its own.
  case signUp(DeviceChoice, String)
  /// `A switches to mum`: from one account to another without a sign-out between.
  case switchTo(DeviceChoice, String)
  /// `A goes on with its migration`: the user wants an upload of local rows that was interrupted to go on.
  case migrate(String)
  /// `A takes its migration back`, or `A takes its migration back with its rows in the cloud`.
  case rollBack(String, isCloudMeant: Bool)
  /// `the account of A is unavailable`, as during a password prompt, or `available`.
  case available(String, Bool)

  /// The line from which the parser makes this step.
  package var text: String {
    switch self {
    case .signOut(let devices): "\(devices.text) \(devices.isSeveral ? "sign" : "signs") out"
    case .signIn(let devices, let account):
      "\(devices.text) \(devices.isSeveral ? "sign" : "signs") in as \(ScenarioWord.named(account))"
    case .signUp(let devices, let account):
      "\(devices.text) \(devices.isSeveral ? "sign" : "signs") up as \(ScenarioWord.named(account))"
    case .switchTo(let devices, let account):
      "\(devices.text) \(devices.isSeveral ? "switch" : "switches") to \(ScenarioWord.named(account))"
    case .migrate(let device): "\(device) goes on with its migration"
    case .rollBack(let device, let isCloudMeant):
      "\(device) takes its migration back\(isCloudMeant ? " with its rows in the cloud" : "")"
    case .available(let device, let isAvailable):
      "the account of \(device) is \(isAvailable ? "available" : "unavailable")"
    }
  }
}
