import ZoneKitMemoryStores
import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitDeviceProcess
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitSync
import ZoneKitTimeline

/// Operations on devices, and the handling of their events and effects.
extension World {
  /// Adds a device that is not running yet. Returns its number. Throws if its store cannot be read, which does not
  /// happen for a new one.
  @discardableResult
  package mutating func addDevice(
    named name: String, app: DeviceApp, account: Name?, policy: DeviceLife.Policy = DeviceLife.Policy()
  ) throws(StoreError) -> Int {
    let number = devices.count
    // The seed of a device depends on its name and not on the number of other devices, so that a scenario stays the
    // same when one is left out.
    let seed = UInt64(hashing: name.utf8, from: options.seed)
    if case .tables(let tables) = app.cloud, cloud.tables == nil {
      if let schema = app.simulation.schema as? PreparedSchema {
        serve(schema)
      } else {
        cloud.serve(tables)
      }
    }
    let disk = MemoryDeviceStore(keepingHistory: options.keepsHistories)
    var device = try SimulatedDevice(
      name: name, app: app, account: account, disk: disk, policy: policy, seed: seed)
    device.appNumber = self.number(of: app)
    devices.append(device)
    checkers.addDevice(running: app, numbered: device.appNumber)
    links.append(Link())
    pushFaults.append(PushFaultInjector())
    trace.deviceNames.append(name)
    return number
  }

  /// The number of the device of that name; nil if there is none.
  package func device(named name: String) -> Int? { devices.indices.first { devices[$0].name == name } }

  // MARK: Process

  /// Starts the process of a device that is not running.
  package mutating func start(_ device: Int) {
    guard !devices[device].isRunning else { return }
    note(.device(device), .start, "starts")
    devices[device].coordinator.store.restart()
    do throws(StoreError) {
      try devices[device].process.open()
      // Only the app's store knows who signed in inside the app.
      if devices[device].hasTables, !devices[device].coordinator.deviceID.isEmpty {
        devices[device].account = devices[device].coordinator.account
      }
      let (account, session) = (devices[device].account, firstSession(of: device))
      try devices[device].process.start(account: account, session: session, at: now)
      log(.processStarting, of: device)
      carryOn(device)
    } catch {
      cannotStart(device, error)
    }
  }

  mutating func cannotStart(_ device: Int, _ error: StoreError) {
    note(.device(device), .crash, "does not start: \(error)")
    stop(device)
  }

  mutating func hasStarted(_ device: Int) {
    log(.processStarted, of: device)
  }

  /// The time after which a process that was killed at a crash point is restarted, in milliseconds.
  static var crashPause: Int64 { 2_000 }

  /// Starts the process of a device after that many milliseconds.
  mutating func start(_ device: Int, after milliseconds: Int64) {
    queue.add(.start(device: device), at: now.advanced(byMilliseconds: milliseconds))
  }

  /// Kills the process. Its disk has what was committed.
  package mutating func kill(_ device: Int) {
    guard devices[device].isRunning else { return }
    devices[device].counters.crashes += 1
    note(.device(device), .crash, "dies")
    let comesBack = devices[device].crash.comesBack
    stop(device)
    guard devices[device].crash.endSweep() || comesBack else { return }
    start(device, after: Self.crashPause)
  }

  private mutating func stop(_ device: Int) {
    end(device)
    act(device) { $0.crashed(at: $1.monotonic) }
  }

  /// Ends the process. What the operating system keeps is unchanged.
  private mutating func end(_ device: Int) {
    devices[device].process.end()
    if let socket = devices[device].socket {
      queue.add(.tables(.socketHungUp(socket)), at: now.advanced(byMilliseconds: draw(links[device].up.delay)))
    }
    devices[device].socket = nil
    devices[device].effect = nil
    devices[device].crash.set(nil)
    devices[device].counters.ended()
    devices[device].coordinator.store.restart()
  }

  /// Force-quits the app as its user. Pushes that are stored for it are discarded until the user opens it again.
  package mutating func forceQuit(_ device: Int) {
    note(.device(device), .life, "force-quit")
    end(device)
    act(device) { $0.forceQuit(at: $1.monotonic) }
  }

  /// Cuts the power. Of the commits that were not synced, only the first `count` survive.
  package mutating func powerCut(_ device: Int, keeping count: Int) {
    note(
      .device(device), .crash,
      "power cut, \(count) of \(devices[device].store.unsyncedCommits) unsynced commits survive")
    if devices[device].isRunning { devices[device].counters.crashes += 1 }
    let before = devices[device].store
    end(device)
    devices[device].diskSyncAt = nil
    act(device) { $0.restarted(at: $1.monotonic) }
    devices[device].coordinator.store.powerCut(keeping: count)
    logReplacedDisk(of: device, from: before, account: devices[device].coordinator.account)
  }

  /// Makes the process die at that point, counted from now on. If `comesBack`, it is restarted two seconds later.
  package mutating func crash(_ device: Int, at point: KillPoint?, comesBack: Bool = false) {
    devices[device].crash.set(point, comesBack: comesBack)
  }

  /// Makes the process die before that step of all its processes, from 1, and restart some time later.
  package mutating func sweep(_ device: Int, at step: Int) { devices[device].crash.sweptStep = step }

  /// The number of steps of all processes of a device.
  package func totalSteps(of device: Int) -> Int { devices[device].crash.total }

  /// The number of steps of the process since its crash point was set, or since it started.
  package func steps(of device: Int) -> Int { devices[device].crash.steps }

  /// Takes the link away or restores it. The device notices it.
  package mutating func setOnline(_ device: Int, _ isOnline: Bool) {
    guard devices[device].isOnline != isOnline else { return }
    note(.device(device), .link, isOnline ? "online" : "offline")
    act(device) { $0.linkChanged(isOnline: isOnline, at: $1.monotonic) }
  }

  /// Brings the app to the foreground.
  package mutating func foreground(_ device: Int) {
    note(.device(device), .life, "foreground")
    act(device) { $0.enteredForeground(at: $1.monotonic) }
  }

  /// Moves the app to the background. It runs on for a while and is then suspended.
  package mutating func background(_ device: Int) {
    note(.device(device), .life, "background")
    act(device) { $0.enteredBackground(at: $1.monotonic) }
  }

  /// Turns low power mode on or off.
  package mutating func setLowPower(_ device: Int, _ isOn: Bool) {
    note(.device(device), .life, isOn ? "low power" : "full power")
    act(device) { $0.lowPowerChanged(isOn: isOn, at: $1.monotonic) }
  }

  /// Turns background refresh on or off.
  package mutating func setBackgroundRefresh(_ device: Int, _ isOn: Bool) {
    note(.device(device), .life, isOn ? "background refresh on" : "background refresh off")
    act(device) { $0.backgroundRefreshChanged(isOn: isOn, at: $1.monotonic) }
  }

  /// Requests a sync as the user.
  package mutating func sync(_ device: Int) {
    if devices[device].isRunning { log(.syncWanted, of: device) }
    perform(device) { $0.requestSyncIfNeeded(reason: .manual, at: $1, using: &$2) }
  }

  /// Performs a scripted reset.
  package mutating func reset(_ device: Int, _ reset: StoreReset) throws(StoreError) {
    note(.device(device), .life, "reset \(reset)")
    log(.resetting, of: device)
    try attempt(device, acting: { (process, moment) throws(StoreError) in try process.reset(reset, at: moment) })
  }

  /// Resets a running device, and tells the checkers what it removes. Returns the store's error; nil if it did not
  /// fail.
  @discardableResult
  package mutating func play(_ kind: StoreReset, of device: Int) -> StoreError? {
    let before = devices[device].store
    do throws(StoreError) {
      try reset(device, kind)
      if case .local(keepingPending: false) = kind {
        logReplacedDisk(of: device, from: before, account: devices[device].account)
      }
      return nil
    } catch {
      failed(device, error)
      // A disk that fails after the write has performed the reset all the same.
      logReplacedDisk(of: device, from: before, account: devices[device].account)
      log(.everythingShown, of: device)
      return error
    }
  }

  /// Makes the app request a sync when it is notified of the next changes.
  package mutating func syncInsideMerge(_ device: Int) { devices[device].syncsInsideMerge = true }

  /// The store failed in a write by the app.
  mutating func failed(_ device: Int, _ error: StoreError) {
    note(.device(device), .fault, "store failed: \(error.message)")
  }
}
