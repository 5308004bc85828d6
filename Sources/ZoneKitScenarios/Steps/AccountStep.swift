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

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .signOut(let devices): ["devices": .devices(devices)]
    case .signIn(let devices, let account), .signUp(let devices, let account), .switchTo(let devices, let account):
      ["devices": .devices(devices), "name": .name(account)]
    case .migrate(let device), .rollBack(let device, _): ["device": .name(device)]
    case .available(let device, let isAvailable): ["device": .name(device), "way": .flag(isAvailable)]
    }
  }
}
