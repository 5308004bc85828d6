/// A step that acts on the process of a device or of the cloud.
package enum LifeStep: Hashable, Sendable {
  /// `B goes to the background`.
  case background(DeviceChoice)
  /// `B comes to the foreground`; the app is started if it is not running.
  case foreground(DeviceChoice)
  /// `A comes to the foreground and syncs`: its user opens the app and requests a sync.
  case look(DeviceChoice)
  /// `force-quit B`: pushes for the app are discarded until the user opens it.
  case forceQuit(DeviceChoice)
  /// `B enters low power`.
  case lowPower(DeviceChoice)
  /// `B leaves low power`.
  case fullPower(DeviceChoice)
  /// `B turns background refresh off`, or on.
  case backgroundRefresh(DeviceChoice, isOn: Bool)
  /// `kill A`, or `kill the cloud`.
  case kill(Place)
  /// `kill the cloud for 5s`: it is started again after that time.
  case killFor(Place, TimeSpan)
  /// `kill A before its 2nd send`, or `kill the cloud after its 1st commit`. With `startingAgain` it is started two
  /// seconds later.
  case killAt(Place, KillPoint, startingAgain: Bool)
  /// `cut the power of A`: what its disk has not synced is lost; with `keeping 50% of its unsynced commits` only the
  /// rest is.
  case powerCut(Place, keeping: Int)
  /// `start A`: its user opens the app after a kill or a power cut; also `start the cloud`.
  case start(Place)
  /// `restart A`: an orderly end and a start.
  case restart(Place)
  /// `erase A`: its store, its tokens and its device ID.
  case erase(String)
  /// `back up A`.
  case backUp(String)
  /// `restore A from its backup`.
  case restoreBackup(String)
  /// `restore a copy of A as C`: the new device C gets A's store, including the device ID; from A's backup if there is
  /// one.
  case restoreCopy(of: String, as: String)
  /// `restore a copy of A to B`: the device B gets A's store, from A's backup if there is one, and is restarted.
  case restoreOnto(of: String, to: String)

  /// The line from which the parser makes this step.
  package var text: String {
    switch self {
    case .background(let devices): "\(devices.text) \(devices.isSeveral ? "go" : "goes") to the background"
    case .foreground(let devices): "\(devices.text) \(devices.isSeveral ? "come" : "comes") to the foreground"
    case .look(let devices):
      devices.isSeveral
        ? "\(devices.text) come to the foreground and sync" : "\(devices.text) comes to the foreground and syncs"
    case .forceQuit(let devices): "force-quit \(devices.text)"
    case .lowPower(let devices): "\(devices.text) \(devices.isSeveral ? "enter" : "enters") low power"
    case .fullPower(let devices): "\(devices.text) \(devices.isSeveral ? "leave" : "leaves") low power"
    case .backgroundRefresh(let devices, let isOn):
      "\(devices.text) \(devices.isSeveral ? "turn" : "turns") background refresh \(isOn ? "on" : "off")"
    case .kill(let place): "kill \(place.text)"
    case .killFor(let place, let span): "kill \(place.text) for \(span.text)"
    case .killAt(let place, let point, let startsAgain):
      "kill \(place.text) \(point.text)\(startsAgain ? " and start it again" : "")"
    case .powerCut(let place, let percent):
      "cut the power of \(place.text)" + (percent == 0 ? "" : " keeping \(percent)% of its unsynced commits")
    case .start(let place): "start \(place.text)"
    case .restart(let place): "restart \(place.text)"
    case .erase(let device): "erase \(device)"
    case .backUp(let device): "back up \(device)"
    case .restoreBackup(let device): "restore \(device) from its backup"
    case .restoreCopy(let original, let copy): "restore a copy of \(original) as \(copy)"
    case .restoreOnto(let original, let copy): "restore a copy of \(original) to \(copy)"
    }
  }
}
