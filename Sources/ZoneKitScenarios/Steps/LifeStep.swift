/// What happens to a device's process, or to the cloud's.
package enum LifeStep: Hashable, Sendable {
  /// `B goes to the background`.
  case background(DeviceChoice)
  /// `B comes to the foreground`, started where it does not run.
  case foreground(DeviceChoice)
  /// `A comes to the foreground and syncs`: its user looks, and asks for a sync.
  case look(DeviceChoice)
  /// `force-quit B`: pushes for it are thrown away until the user starts it.
  case forceQuit(DeviceChoice)
  /// `B enters low power`.
  case lowPower(DeviceChoice)
  /// `B leaves low power`.
  case fullPower(DeviceChoice)
  /// `B turns background refresh off`, or on.
  case backgroundRefresh(DeviceChoice, isOn: Bool)
  /// `kill A`, or `kill the cloud`.
  case kill(Place)
  /// `kill the cloud for 5s`: it is started again then.
  case killFor(Place, TimeSpan)
  /// `kill A before its 2nd send`, or `kill the cloud after its 1st commit`; where `startingAgain`, it is started two
  /// seconds later.
  case killAt(Place, CrashMoment, startingAgain: Bool)
  /// `cut the power of A`: what its disk had not written is lost, or `keeping 50% of its unsynced commits`.
  case powerCut(Place, keeping: Int)
  /// `start A`, after a kill or a power cut: its user opens it. `start the cloud` too.
  case start(Place)
  /// `restart A`: a clean end and a start.
  case restart(Place)
  /// `erase A`: its store, its tokens and its identity.
  case erase(String)
  /// `back up A`.
  case backUp(String)
  /// `restore A from its backup`.
  case restoreBackup(String)
  /// `restore a copy of A as C`: C has A's store, identity included; from the backup where there is one.
  case restoreCopy(of: String, as: String)
  /// `restore a copy of A to B`: the device B gets A's disk, from the backup where there is one, and starts anew.
  case restoreOnto(of: String, to: String)

  /// The line that reads as this.
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
    case .killAt(let place, let moment, let startsAgain):
      "kill \(place.text) \(moment.text)\(startsAgain ? " and start it again" : "")"
    case .powerCut(let place, let percent):
      "cut the power of \(place.text)" + (percent == 0 ? "" : " keeping \(percent)% of its unsynced commits")
    case .start(let place): "start \(place.text)"
    case .restart(let place): "restart \(place.text)"
    case .erase(let device): "erase \(device)"
    case .backUp(let device): "back up \(device)"
    case .restoreBackup(let device): "restore \(device) from its backup"
    case .restoreCopy(let original, let copy): "restore a copy of \(original) as \(copy)"
    case .restoreOnto(let original, let twin): "restore a copy of \(original) to \(twin)"
    }
  }
}

/// Between which two of the things that it does a process dies, counted from the step that says so.
package enum CrashMoment: Hashable, Sendable {
  /// `before its 2nd send`: an effect by its name, such as `send`, `answer`, `notify`, `commit`, or a fact's name. `step`
  /// is any commit or effect, `turn` of the cloud's any of its turns, whether it writes or not.
  case before(Int, String)
  /// `after its 3rd commit`.
  case after(Int, String)

  /// The words that read as this.
  package var text: String {
    switch self {
    case .before(let number, let name): "before its \(Ordinal.text(number)) \(ScenarioWord.named(name))"
    case .after(let number, let name): "after its \(Ordinal.text(number)) \(ScenarioWord.named(name))"
    }
  }
}
