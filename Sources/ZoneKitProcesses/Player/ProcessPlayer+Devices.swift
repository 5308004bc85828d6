import ZoneKitDeviceHost
import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitService

/// Steps that act on devices: user actions, processes, accounts and clocks.
extension ProcessPlayer {
  func play(_ step: AppStep) throws(ProcessFailure) {
    switch step {
    case .perform(let choice, let line):
      for device in try existing(choice) { try world.perform(line, on: device) }
    case .edit(let device, let record, let words):
      try world.perform("edit \(try name(of: record)) \(words)", on: try world.device(device))
    case .delete(let device, let record):
      try world.perform("delete \(try name(of: record))", on: try world.device(device))
    case .sync(let choice): for device in try existing(choice) { try world.say("sync", to: device) }
    case .save, .syncInsideMerge: throw .virtualOnly("no process can do that")
    }
  }

  func play(_ step: LifeStep) throws(ProcessFailure) {
    switch step {
    case .background(let choice): try say("background", to: choice)
    case .foreground(let choice):
      for device in try existing(choice) {
        if !device.isRunning { try world.start(device) }
        device.isForceQuit = false
        try world.say("foreground", to: device)
      }
    case .look(let choice):
      try play(LifeStep.foreground(choice))
      try play(AppStep.sync(choice))
    case .forceQuit(let choice):
      try say("forcequit", to: choice)
      for device in try existing(choice) { device.isForceQuit = true }
    case .lowPower(let choice): try say("lowpower on", to: choice)
    case .fullPower(let choice): try say("lowpower off", to: choice)
    case .backgroundRefresh(let choice, let isOn): try say("refresh \(isOn ? "on" : "off")", to: choice)
    case .kill(.cloud): try world.stopServer(atOnce: true)
    case .kill(.device(let name)): try world.kill(try world.device(name))
    case .start(.cloud): try world.startServer()
    case .start(.device(let name)): try world.start(try world.device(name))
    case .restart(.cloud):
      try world.stopServer(atOnce: false)
      try world.startServer()
    case .restart(.device(let name)):
      try world.kill(try world.device(name))
      try world.start(try world.device(name))
    case .erase(let name): try world.erase(try world.device(name))
    case .backUp(let name): try world.backUp(try world.device(name))
    case .restoreBackup(let name):
      let device = try world.device(name)
      let isRunning = device.isRunning
      try world.restore(device, from: device)
      if isRunning { try world.start(device) }
    case .restoreCopy(let original, let copy):
      let source = try world.device(original)
      let isKnown = world.devices.contains { $0.name == copy }
      let device = isKnown ? try world.device(copy) : try world.add(copy, account: source.account, app: source.app)
      try world.restore(device, from: source)
    case .killFor(let place, let span):
      try play(LifeStep.kill(place))
      try pass(span)
      try play(LifeStep.start(place))
      note = "nothing else happened in that time"
    case .restoreOnto(let original, let copy):
      let (source, device) = (try world.device(original), try world.device(copy))
      try world.restore(device, from: source)
      try world.start(device)
    case .killAt(let place, let point, _):
      guard let trigger = KillTrigger(place, at: point) else { throw .virtualOnly("no process can do that") }
      world.killTriggers.append(trigger)
    case .powerCut: throw .virtualOnly("no process can do that")
    }
  }

  private func say(_ line: String, to choice: DeviceChoice) throws(ProcessFailure) {
    for device in try existing(choice) { try world.say(line, to: device) }
  }

  func play(_ step: AccountStep) throws(ProcessFailure) {
    switch step {
    case .signOut(let choice): for device in try existing(choice) { try world.signIn(nil, on: device) }
    case .signIn(let choice, let account), .switchTo(let choice, let account):
      for device in try existing(choice) { try world.signIn(account, on: device) }
    case .signUp(let choice, let account):
      for device in try existing(choice) { try world.signUp(account, on: device) }
    case .migrate(let name): try world.say("migrate", to: try world.device(name))
    case .rollBack(let name, let isCloudMeant):
      let device = try world.device(name)
      try world.converse("migrate rollback\(isCloudMeant ? " --cloud" : "")", with: device)
      device.account = nil
    case .available: throw .virtualOnly("no process can do that")
    }
  }

  func play(_ step: ClockStep) throws(ProcessFailure) {
    switch step {
    case .offset(let name, let offset): try world.setClock(of: try world.device(name), ahead: offset)
    case .right(let name):
      let device = try world.device(name)
      device.clock = DeviceClock()
      try world.setClock(of: device, ahead: 0)
    case .drift(let name, let milliseconds):
      // A day has 86.4 million milliseconds.
      try world.driftClock(of: try world.device(name), by: milliseconds * 10 / 864)
    case .set(let name, let time):
      let ahead = time.milliseconds - SystemClock.wall.milliseconds
      try world.setClock(of: try world.device(name), ahead: ahead)
    case .stands(let name, let time): try world.standClock(of: try world.device(name), at: time)
    case .zone(let name, let zone): try world.setTimeZone(of: try world.device(name), zone)
    }
  }

  func play(_ step: ResetStep) throws(ProcessFailure) {
    switch step {
    case .local(let name, let keepingPending): try world.reset(.local(device: name, keepingPending: keepingPending))
    case .tokens(let name): try world.reset(.tokens(device: name))
    case .zone(let zone, let holder):
      let name = try self.zone(zone).zoneName
      try world.reset(.cloud(ZoneFilter(zoneName: name, user: try account(of: holder))))
    case .cloud: try world.reset(.cloud(ZoneFilter()))
    }
  }
}
