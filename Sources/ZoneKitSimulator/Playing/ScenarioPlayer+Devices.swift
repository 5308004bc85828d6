import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitSync

/// Performs the steps that act on processes, accounts, clocks and disks of devices, and resets.
extension ScenarioPlayer {
  // MARK: Processes

  mutating func perform(_ step: LifeStep) throws(StepRefusal) {
    switch step {
    case .background(let devices): for device in try running(devices) { world.background(device) }
    case .foreground(let devices): for device in try existing(devices) { world.foreground(device) }
    case .look(let devices): for device in try existing(devices) { world.look(at: device) }
    case .forceQuit(let devices): for device in try existing(devices) { world.forceQuit(device) }
    case .lowPower(let devices): for device in try existing(devices) { world.setLowPower(device, true) }
    case .fullPower(let devices): for device in try existing(devices) { world.setLowPower(device, false) }
    case .backgroundRefresh(let devices, let isOn):
      for device in try existing(devices) { world.setBackgroundRefresh(device, isOn) }
    case .kill(let place): try end(place) { $0.kill($1) }
    case .killFor(let place, let span): try kill(place, for: span)
    case .killAt(let place, let point, let startsAgain): try crash(place, at: point, comesBack: startsAgain)
    case .powerCut(let place, let percent):
      try end(place) { $0.powerCut($1, keeping: $0.devices[$1].store.unsyncedCommits * percent / 100) }
    case .start(let place):
      switch place {
      case .cloud: world.startCloud()
      case .device(let device): world.start(try existing(device))
      }
    case .restart(let place):
      try end(place) { $0.kill($1) }
      try perform(LifeStep.start(place))
    case .erase(let device):
      let device = try existing(device)
      world.kill(device)
      world.erase(device)
    case .backUp(let device):
      let number = try existing(device)
      backups[device] = (world.devices[number].store, world.devices[number].account)
    case .restoreBackup(let device): try restoreBackup(of: device)
    case .restoreCopy(let original, let copy): try restoreCopy(of: original, as: copy)
    case .restoreOnto(let original, let copy):
      guard original != copy else { throw StepRefusal("a device is no copy of itself; name another one") }
      world.restoreCopy(of: try existing(original), to: try existing(copy), disk: backups[original]?.disk)
    }
  }

  private mutating func end(_ place: Place, _ end: (inout World, Int) -> Void) throws(StepRefusal) {
    switch place {
    case .cloud: world.killCloud()
    case .device(let device): end(&world, try existing(device))
    }
  }

  private mutating func kill(_ place: Place, for span: TimeSpan) throws(StepRefusal) {
    try end(place) { $0.kill($1) }
    switch place {
    case .cloud: world.startCloud(after: span.milliseconds)
    case .device(let device): world.start(try existing(device), after: span.milliseconds)
    }
  }

  private mutating func crash(_ place: Place, at point: KillPoint, comesBack: Bool) throws(StepRefusal) {
    switch place {
    case .cloud:
      guard world.cloud.isRunning else { throw StepRefusal("the cloud does not run") }
      world.crashCloud(at: point, comesBack: comesBack)
    case .device(let device): world.crash(try running(device), at: point, comesBack: comesBack)
    }
  }

  private mutating func restoreBackup(of device: String) throws(StepRefusal) {
    let number = try existing(device)
    guard let backup = backups[device] else { throw StepRefusal("\(device) was not backed up") }
    let runs = world.devices[number].isRunning
    let before = world.devices[number].store
    world.kill(number)
    world.restore(backup.disk, to: number)
    world.check(number) { $0.model.excuseLosses(from: before, to: backup.disk, of: backup.account) }
    if runs { world.start(number) }
  }

  private mutating func restoreCopy(of original: String, as copy: String) throws(StepRefusal) {
    let source = try existing(original)
    observer.others[copy] = observer.others[original]
    let backup = backups[original] ?? (world.devices[source].store, world.devices[source].account)
    do throws(StoreError) {
      let app = world.devices[source].app
      let device = try world.addDevice(named: copy, app: app, account: backup.account, policy: setting.life)
      world.restore(backup.disk, to: device)
    } catch {
      throw StepRefusal("the copy cannot be made: \(error.message)")
    }
  }

  // MARK: Accounts, clocks, disks, resets

  mutating func perform(_ step: AccountStep) throws(StepRefusal) {
    switch step {
    case .signOut(let devices): for device in try existing(devices) { world.signIn(device, nil) }
    case .signIn(let devices, let account), .switchTo(let devices, let account):
      for device in try existing(devices) {
        guard world.devices[device].app.name == app(ofAccount: account).name else {
          throw StepRefusal("account \(account) belongs to another app")
        }
        world.signIn(device, world.knownAccount(named: account, of: app(ofAccount: account)))
      }
    case .signUp(let devices, let account):
      for device in try existing(devices) { try signUp(device, as: account) }
    case .migrate(let device): world.migrate(try migrating(device))
    case .rollBack(let device, let isCloudMeant): try rollBack(try migrating(device), isCloudMeant: isCloudMeant)
    case .available(let device, let isAvailable): try setAccount(of: device, isAvailable: isAvailable)
    }
  }

  mutating func perform(_ step: ClockStep) throws(StepRefusal) {
    switch step {
    case .offset(let device, let offset): world.setClock(try existing(device), offset: offset)
    case .right(let device):
      world.setDrift(try existing(device), 0)
      world.setClock(try existing(device), offset: 0)
    case .drift(let device, let drift):
      // A day has 86.4 million milliseconds.
      world.setDrift(try existing(device), drift * 10 / 864)
    case .set(let device, let time):
      world.setClock(try existing(device), offset: time.milliseconds - world.wall.milliseconds)
    case .stands(let device, let time):
      world.setClock(try existing(device), offset: time.milliseconds - world.wall.milliseconds)
      world.setDrift(try existing(device), -1_000_000)
    case .zone(let device, let name):
      let device = try existing(device)
      do throws(TimeZoneError) {
        world.setTimeZone(device, try settings.timeZones(name))
      } catch {
        throw StepRefusal(error.description)
      }
    }
  }

  mutating func perform(_ step: DiskStep) throws(StepRefusal) {
    switch step {
    case .failWrites(let device, let count, let keeping):
      world.failCommits(of: try existing(device), next: count, keeping: keeping)
    case .full(let device): world.setDiskFull(try existing(device), true)
    case .hasRoom(let device): world.setDiskFull(try existing(device), false)
    case .buffers(let device, let buffers): world.setDiskBuffers(try existing(device), buffers)
    case .sync(let device): world.syncDisk(try existing(device))
    case .slow(let device, let span): world.setDiskDelay(try existing(device), span.milliseconds)
    }
  }

  mutating func perform(_ step: ResetStep) throws(StepRefusal) {
    switch step {
    case .local(let device, let keeping): try reset(device, .local(keepingPending: keeping))
    case .tokens(let device): try reset(device, .tokens)
    case .zone(let name, let holder): try administer(.eraseRecords(try zone(name)), as: try account(of: holder))
    case .cloud:
      for account in world.cloudAccounts {
        for zone in world.cloudZones(of: account) where zone.zoneName != ZoneID.defaultZone.zoneName {
          try administer(.eraseRecords(zone), as: account)
        }
      }
    }
  }

  private mutating func reset(_ device: String, _ kind: StoreReset) throws(StepRefusal) {
    if let error = world.play(kind, of: try running(device)) {
      throw StepRefusal("the store failed: \(error.message)")
    }
  }
}
