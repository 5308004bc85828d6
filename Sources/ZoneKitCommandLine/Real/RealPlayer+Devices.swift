import ZoneKitScenarios
import Glibc
import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator

/// What happens to devices: what users do, their processes, accounts and clocks.
extension RealPlayer {
  func play(_ step: AppStep) throws(ExitFailure) {
    switch step {
    case .perform(let choice, let line):
      for device in try devices(choice) { try stage.perform(line, on: device) }
    case .edit(let device, let record, let words):
      try stage.perform("edit \(try name(of: record)) \(words)", on: try stage.device(device))
    case .delete(let device, let record):
      try stage.perform("delete \(try name(of: record))", on: try stage.device(device))
    case .sync(let choice): for device in try devices(choice) { try stage.say("sync", to: device) }
    case .save, .syncInsideMerge: throw .virtualOnly("no process can do that")
    }
  }

  func play(_ step: LifeStep) throws(ExitFailure) {
    switch step {
    case .background(let choice): try say("background", to: choice)
    case .foreground(let choice):
      for device in try devices(choice) {
        if !device.isRunning { try stage.start(device) }
        device.isForceQuit = false
        try stage.say("foreground", to: device)
      }
    case .look(let choice):
      try play(LifeStep.foreground(choice))
      try play(AppStep.sync(choice))
    case .forceQuit(let choice):
      try say("forcequit", to: choice)
      for device in try devices(choice) { device.isForceQuit = true }
    case .lowPower(let choice): try say("lowpower on", to: choice)
    case .fullPower(let choice): try say("lowpower off", to: choice)
    case .backgroundRefresh(let choice, let isOn): try say("refresh \(isOn ? "on" : "off")", to: choice)
    case .kill(.cloud): try stage.stopServer(atOnce: true)
    case .kill(.device(let name)): try stage.kill(try stage.device(name))
    case .start(.cloud): try stage.startServer()
    case .start(.device(let name)): try stage.start(try stage.device(name))
    case .restart(.cloud):
      try stage.stopServer(atOnce: false)
      try stage.startServer()
    case .restart(.device(let name)):
      try stage.kill(try stage.device(name), with: SIGTERM)
      try stage.start(try stage.device(name))
    case .erase(let name): try stage.erase(try stage.device(name))
    case .backUp(let name): try stage.backUp(try stage.device(name))
    case .restoreBackup(let name):
      let device = try stage.device(name)
      let isRunning = device.isRunning
      try stage.restore(device, from: device)
      if isRunning { try stage.start(device) }
    case .restoreCopy(let original, let copy):
      let source = try stage.device(original)
      let isKnown = stage.devices.contains { $0.name == copy }
      let device = isKnown ? try stage.device(copy) : try stage.add(copy, account: source.account)
      try stage.restore(device, from: source)
    case .killFor(let place, let span):
      try play(LifeStep.kill(place))
      try pass(span)
      try play(LifeStep.start(place))
      note = "nothing else happened in that time"
    case .restoreOnto(let original, let twin):
      let (source, device) = (try stage.device(original), try stage.device(twin))
      try stage.restore(device, from: source)
      try stage.start(device)
    case .killAt(let place, let moment, _):
      guard let ambush = Ambush(place, at: moment) else { throw .virtualOnly("no process can do that") }
      stage.ambushes.append(ambush)
    case .powerCut: throw .virtualOnly("no process can do that")
    }
  }

  private func say(_ line: String, to choice: DeviceChoice) throws(ExitFailure) {
    for device in try devices(choice) { try stage.say(line, to: device) }
  }

  func play(_ step: AccountStep) throws(ExitFailure) {
    switch step {
    case .signOut(let choice): for device in try devices(choice) { try stage.signIn(nil, on: device) }
    case .signIn(let choice, let account), .switchTo(let choice, let account):
      for device in try devices(choice) { try stage.signIn(account, on: device) }
    case .available: throw .virtualOnly("no process can do that")
    }
  }

  func play(_ step: ClockStep) throws(ExitFailure) {
    switch step {
    case .offset(let name, let offset): try stage.setClock(of: try stage.device(name), ahead: offset)
    case .right(let name):
      let device = try stage.device(name)
      device.clock = DeviceClock()
      try stage.setClock(of: device, ahead: 0)
    case .drift(let name, let milliseconds):
      // A day has 86.4 million milliseconds.
      try stage.driftClock(of: try stage.device(name), by: milliseconds * 10 / 864)
    case .set(let name, let time):
      let ahead = time.milliseconds - SystemClock.wall.milliseconds
      try stage.setClock(of: try stage.device(name), ahead: ahead)
    case .stands(let name, let time): try stage.standClock(of: try stage.device(name), at: time)
    }
  }

  func play(_ step: ResetStep) throws(ExitFailure) {
    switch step {
    case .local(let name, let keepingPending): try stage.reset(.local(device: name, keepingPending: keepingPending))
    case .tokens(let name): try stage.reset(.tokens(device: name))
    case .zone(let zone, let holder):
      let name = Name(zone ?? RealStage.zoneName)
      try stage.reset(.cloud(ZoneFilter(zoneName: name, user: try account(of: holder))))
    case .cloud: try stage.reset(.cloud(ZoneFilter()))
    }
  }
}
