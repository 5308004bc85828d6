import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// What can be done with a device, and what it does.
extension World {
  /// Adds a device that does not run yet; returns its number. Throws where its store cannot be read, which a new one can.
  @discardableResult
  package mutating func addDevice(
    named name: String, app: DeviceApp, account: Name?, policy: DeviceLife.Policy = DeviceLife.Policy()
  ) throws(StoreError) -> Int {
    let number = devices.count
    // A device's chance depends on its name and not on how many others there are, so that a story stays what it is when
    // one is left out.
    let seed = name.utf8.reduce(options.seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    devices.append(try SimulatedDevice(name: name, app: app, account: account, policy: policy, seed: seed))
    checkers.addDevice(running: app)
    links.append(Link())
    pushFaults.append(PushFaults())
    trace.deviceNames.append(name)
    return number
  }

  /// The number of the device of that name; nil where there is none.
  package func device(named name: String) -> Int? { devices.firstIndex { $0.name == name } }

  // MARK: Its life

  /// Starts the process of a device that does not run.
  package mutating func start(_ device: Int) {
    guard !devices[device].isRunning else { return }
    devices[device].life += 1
    note(.device(device), .start, "starts")
    _ = devices[device].system.launched(at: now)
    let account = devices[device].account
    do throws(StoreError) {
      try devices[device].open()
      log(.processStarting, of: device)
      devices[device].isRunning = true
      if !devices[device].isOnline {
        perform(device) { $0.linkChanged(isOnline: false, at: $1, using: &$2) }
      }
      try attempt(device) { (coordinator, moment, generator) throws(StoreError) in
        try coordinator.launch(account: account, at: moment, using: &generator)
      }
      log(.processStarted, of: device)
      repair(device)
      openPush(device)
    } catch {
      note(.device(device), .crash, "does not start: \(error)")
      stop(device)
    }
  }

  /// How long a process that a crash point ended stays down, in milliseconds.
  static var crashPause: Int64 { 2_000 }

  /// Starts the process of a device after that many milliseconds.
  mutating func start(_ device: Int, after milliseconds: Int64) {
    queue.add(.start(device: device), at: now.advanced(byMilliseconds: milliseconds))
  }

  /// The process dies at once; its disk has what was committed.
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
    dropPushLine(device)
    live(device) { $0.ended(at: $1) }
  }

  /// The process is gone; what the system keeps is not touched.
  private mutating func end(_ device: Int) {
    devices[device].isRunning = false
    devices[device].life += 1
    devices[device].tickAt = nil
    devices[device].mailbox = []
    devices[device].effects = []
    devices[device].isCarryingOut = false
    devices[device].crash.set(nil)
    devices[device].counters.ended()
    devices[device].coordinator.store.restart()
  }

  /// The user throws the app out: what the push service has for it dies with it until they open it again.
  package mutating func forceQuit(_ device: Int) {
    note(.device(device), .life, "force-quit")
    end(device)
    live(device) { $0.forceQuit(at: $1) }
  }

  /// The power goes: of the commits that were not synced only the first `count` survive.
  package mutating func powerCut(_ device: Int, keeping count: Int) {
    note(
      .device(device), .crash,
      "power cut, \(count) of \(devices[device].store.unsyncedCommits) unsynced commits survive")
    if devices[device].isRunning { devices[device].counters.crashes += 1 }
    let before = devices[device].store
    end(device)
    devices[device].diskSyncAt = nil
    dropPushLine(device)
    live(device) { $0.poweredOff(at: $1) }
    live(device) { $0.rebooted(at: $1) }
    devices[device].coordinator.store.powerCut(keeping: count)
    logReplacedDisk(of: device, from: before, account: devices[device].coordinator.account)
  }

  /// The device's system is told something, and the world does what it says.
  mutating func live(_ device: Int, _ event: (inout DeviceLife, MonotonicTime) -> [DeviceLife.Effect]) {
    let wasComputing = devices[device].isComputing
    let effects = event(&devices[device].system, now)
    if !wasComputing, devices[device].isComputing { resume(device) }
    for effect in effects { carryOut(effect, of: device) }
    guard let due = devices[device].system.nextDeadline, devices[device].systemTickAt != due else { return }
    devices[device].systemTickAt = due
    queue.add(.lifeTick(device: device), at: max(due, now))
  }

  private mutating func carryOut(_ effect: DeviceLife.Effect, of device: Int) {
    switch effect {
    case .launch: start(device)
    case .run: note(.device(device), .life, "runs in the background")
    case .suspend: note(.device(device), .life, "suspended")
    case .hand(let push):
      guard devices[device].isRunning else { return }
      devices[device].counters.pushes += 1
      hand(push, to: device)
    case .hold(_, let reason): note(.device(device), .push, "held: \(reason.rawValue)")
    case .discard(_, let reason):
      devices[device].counters.lostPushes += 1
      note(.device(device), .push, "discarded: \(reason.rawValue)")
    }
  }

  private mutating func hand(_ push: PushNotification, to device: Int) {
    let isDiskSound = devices[device].isDiskSound
    let before = (try? devices[device].store.values())?[.pushReceived]?.integer ?? 0
    perform(device) { $0.receivedPush(push, at: $1, using: &$2) }
    guard isDiskSound, devices[device].isRunning else { return }
    log(.pushHanded(push, countBefore: before), of: device)
  }

  /// The app goes on where it was suspended.
  private mutating func resume(_ device: Int) {
    let answers = devices[device].mailbox
    devices[device].mailbox = []
    for (id, answer) in answers {
      noteAnswer(answer, to: id, of: device)
      perform(device) { $0.received(id, answer, at: $1, using: &$2) }
    }
    perform(device) { $0.tick(at: $1, using: &$2) }
  }

  /// Makes the process die at that point, counted from now on; where it comes back it is started two seconds later.
  package mutating func crash(_ device: Int, at point: CrashPoint?, comesBack: Bool = false) {
    devices[device].crash.set(point, comesBack: comesBack)
  }

  /// Makes the process die before that step of all its lives, from 1, and start again a while later.
  package mutating func sweep(_ device: Int, at step: Int) { devices[device].crash.sweptStep = step }

  /// How many steps the process made in all its lives.
  package func totalSteps(of device: Int) -> Int { devices[device].crash.total }

  /// How many steps the process made since its crash was set, or since it started: what a sweep has to try.
  package func steps(of device: Int) -> Int { devices[device].crash.steps }

  /// The device loses its link, or gets one; it knows.
  package mutating func setOnline(_ device: Int, _ isOnline: Bool) {
    guard devices[device].isOnline != isOnline else { return }
    devices[device].isOnline = isOnline
    note(.device(device), .link, isOnline ? "online" : "offline")
    if !isOnline { dropPushLine(device) }
    perform(device) { $0.linkChanged(isOnline: isOnline, at: $1, using: &$2) }
    if isOnline { openPush(device) }
  }

  /// The app comes to the foreground.
  package mutating func foreground(_ device: Int) {
    note(.device(device), .life, "foreground")
    guard devices[device].isRunning else { return start(device) }
    live(device) { $0.enteredForeground(at: $1) }
    log(.syncWanted, of: device)
    perform(device) { $0.foreground(at: $1, using: &$2) }
  }

  /// The app leaves the front: it runs on for a while, then it is suspended.
  package mutating func background(_ device: Int) {
    note(.device(device), .life, "background")
    live(device) { $0.enteredBackground(at: $1) }
  }

  /// The device starts or ends saving power.
  package mutating func setLowPower(_ device: Int, _ isOn: Bool) {
    note(.device(device), .life, isOn ? "low power" : "full power")
    live(device) { $0.lowPowerChanged(isOn: isOn, at: $1) }
  }

  /// The user lets the app run in the background or not.
  package mutating func setBackgroundRefresh(_ device: Int, _ isOn: Bool) {
    note(.device(device), .life, isOn ? "background refresh on" : "background refresh off")
    live(device) { $0.backgroundRefreshChanged(isOn: isOn, at: $1) }
  }

  /// The user asks for a sync.
  package mutating func sync(_ device: Int) {
    if devices[device].isRunning { log(.syncWanted, of: device) }
    perform(device) { $0.requestSyncIfNeeded(reason: .manual, at: $1, using: &$2) }
  }

  /// Somebody else signs in, or nobody. A process that does not run finds out when it starts.
  package mutating func signIn(_ device: Int, _ account: Name?) {
    devices[device].account = account
    log(.accountSet, of: device)
    note(.device(device), .account, account.map { "signed in as \($0)" } ?? "signed out")
    guard devices[device].isRunning else { return }
    do throws(StoreError) {
      try attempt(device) { (coordinator, moment, generator) throws(StoreError) in
        try coordinator.accountChanged(to: account, at: moment, using: &generator)
      }
      openPush(device)
    } catch {
      failed(device, error)
      log(.everythingShown, of: device)
    }
  }

  /// Forgets what a scripted reset says.
  package mutating func reset(_ device: Int, _ reset: StoreReset) throws(StoreError) {
    note(.device(device), .life, "reset \(reset)")
    log(.resetting, of: device)
    try attempt(device) { (coordinator, moment, generator) throws(StoreError) in
      try coordinator.reset(reset, at: moment, using: &generator)
    }
  }

  /// Sets the device's wall clock that far ahead of the true time, in milliseconds.
  package mutating func setClock(_ device: Int, offset: Int64) {
    devices[device].clock.set(offset: offset, at: now)
    log(.clockSet, of: device)
    note(.device(device), .clock, "\(offset) ms ahead")
  }

  /// Makes the device's wall clock run that many parts of a million too fast.
  package mutating func setDrift(_ device: Int, _ drift: Int64) {
    devices[device].clock.set(drift: drift, at: now)
    note(.device(device), .clock, "\(drift) ppm fast")
  }

  /// Resets a device that runs, and excuses what that takes away. Returns why the store failed; nil where it did not.
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
      // A disk that dies after the write has forgotten it all the same.
      logReplacedDisk(of: device, from: before, account: devices[device].account)
      log(.everythingShown, of: device)
      return error
    }
  }

  /// The app asks for a sync while it is told of the next changes.
  package mutating func syncInsideMerge(_ device: Int) { devices[device].syncsInsideMerge = true }

  // MARK: Events and effects

  mutating func tick(_ device: Int, at: MonotonicTime) {
    guard devices[device].isComputing, devices[device].tickAt == at else { return }
    devices[device].tickAt = nil
    perform(device) { $0.tick(at: $1, using: &$2) }
  }

  mutating func hand(_ answer: Result<CloudResponse, CloudError>, to id: RequestID, of device: Int, life: Int) {
    guard devices[device].life == life, devices[device].isRunning, devices[device].isOnline else { return }
    devices[device].counters.answered(id)
    guard devices[device].system.isRunning else { return devices[device].mailbox.append((id, answer)) }
    noteAnswer(answer, to: id, of: device)
    perform(device) { $0.received(id, answer, at: $1, using: &$2) }
  }

  /// A device passes over what it does not wait for, such as the second copy of an answer.
  private mutating func noteAnswer(_ answer: Result<CloudResponse, CloudError>, to id: RequestID, of device: Int) {
    guard devices[device].coordinator.awaitedRequest == id else { return }
    log(.answer(id, answer), of: device)
  }

  /// Hands an event to a device's coordinator, if its process runs, and does what it asks for.
  package mutating func perform(
    _ device: Int, _ event: (inout SyncCoordinator<MemoryDeviceStore>, Moment, inout SplitMix64) -> [Effect]
  ) {
    guard devices[device].isRunning else { return }
    let moment = moment(of: device)
    let (effects, dies) = devices[device].handle(moment, event)
    carryOut(effects, of: device, dies: dies)
  }

  /// The same for an event that can fail with the store.
  mutating func attempt(
    _ device: Int,
    _ event: (inout SyncCoordinator<MemoryDeviceStore>, Moment, inout SplitMix64) throws(StoreError) -> [Effect]
  ) throws(StoreError) {
    guard devices[device].isRunning else { return }
    let moment = moment(of: device)
    var failure: StoreError?
    let (effects, dies) = devices[device].handle(moment) { coordinator, moment, generator in
      do throws(StoreError) {
        return try event(&coordinator, moment, &generator)
      } catch {
        failure = error
        return []
      }
    }
    if failure != nil { log(.storeFailed, of: device) }
    carryOut(effects, of: device, dies: dies)
    if let failure, !dies { throw failure }
  }

  /// An effect can cause an event at once, whose effects wait for their turn, as they do on a real device.
  private mutating func carryOut(_ effects: [Effect], of device: Int, dies: Bool) {
    guard !dies else { return kill(device) }
    devices[device].effects += effects
    guard !devices[device].isCarryingOut else { return }
    let life = devices[device].life
    devices[device].isCarryingOut = true
    while !devices[device].effects.isEmpty {
      let effect = devices[device].effects.removeFirst()
      if devices[device].crash.reached(effect.name) { return kill(device) }
      carryOut(effect, of: device)
      // An effect may have led to the process's end.
      guard devices[device].life == life else { return }
      if devices[device].crash.passed(effect.name) { return kill(device) }
    }
    devices[device].isCarryingOut = false
    log(.settled, of: device)
    scheduleTick(device)
    scheduleDiskSync(device)
  }

  private mutating func carryOut(_ effect: Effect, of device: Int) {
    switch effect {
    case .send(let id, let request): send(request, id, from: device)
    case .remoteChange(let ids):
      log(.recordsShown(ids), of: device)
      repair(device)
      if devices[device].syncsInsideMerge {
        devices[device].syncsInsideMerge = false
        sync(device)
      }
    case .fact(let fact): tell(fact, of: device)
    }
  }

  private mutating func tell(_ fact: DeviceFact, of device: Int) {
    log(.fact(fact), of: device)
    devices[device].counters.count(fact, at: now)
    if let (kind, text) = fact.mark { note(.device(device), kind, text) }
    if case .pushTokenRegistered = fact { openPush(device) }
  }

  private mutating func scheduleTick(_ device: Int) {
    guard devices[device].isComputing, let due = devices[device].coordinator.nextDeadline else {
      devices[device].tickAt = nil
      return
    }
    let time = max(due, now)
    guard devices[device].tickAt != time else { return }
    devices[device].tickAt = time
    queue.add(.tick(device: device, time), at: time)
  }

  /// The store failed while the app wrote.
  mutating func failed(_ device: Int, _ error: StoreError) {
    note(.device(device), .fault, "store failed: \(error.message)")
  }
}
