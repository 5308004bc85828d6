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

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .background(let devices), .foreground(let devices), .look(let devices), .forceQuit(let devices),
      .lowPower(let devices), .fullPower(let devices):
      ["devices": .devices(devices)]
    case .backgroundRefresh(let devices, let isOn): ["devices": .devices(devices), "way": .flag(isOn)]
    case .kill(let place), .start(let place), .restart(let place): ["place": .place(place)]
    case .killFor(let place, let span): ["place": .place(place), "span": .span(span)]
    case .killAt(let place, .before(let number, let action), let startsAgain),
      .killAt(let place, .after(let number, let action), let startsAgain):
      [
        "place": .place(place), "ordinal": .number(number), "name": .name(action.word), "way": .flag(startsAgain),
      ]
    case .powerCut(let place, 0): ["place": .place(place)]
    case .powerCut(.device(let device), let percent): ["device": .name(device), "percent": .number(percent)]
    case .powerCut(.cloud, let percent): ["place": .place(.cloud), "percent": .number(percent)]
    case .erase(let device), .backUp(let device), .restoreBackup(let device): ["device": .name(device)]
    case .restoreCopy(let device, let copy), .restoreOnto(let device, let copy):
      ["device": .name(device), "copy": .name(copy)]
    }
  }
}
