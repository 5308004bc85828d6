import ZoneKitDeviceHost
import ZoneKitDeviceProcess
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables
import ZoneKitTimeline

/// The driver of devices' processes: it passes events and messages to them, kills them at their crash points, and carries
/// out what they ask for.
extension World {
  // MARK: Events

  /// Passes an event to a device's process or to the operating system around it, and carries out what follows.
  mutating func act(_ device: Int, _ event: (inout SimulatedDevice.Process, Moment) -> Void) {
    let depth = devices[device].process.depth
    guard let _: Void = step(device, event) else { return }
    carryOn(device, to: depth)
  }

  /// The same for an event that can fail with the store.
  mutating func attempt(
    _ device: Int, acting event: (inout SimulatedDevice.Process, Moment) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard devices[device].isRunning else { return }
    var failure: StoreError?
    let depth = devices[device].process.depth
    let lives: Void? = step(device) { process, moment in
      do throws(StoreError) {
        try event(&process, moment)
      } catch {
        failure = error
      }
    }
    if failure != nil, lives != nil { log(.storeFailed, of: device) }
    guard lives != nil else { return }
    carryOn(device, to: depth)
    if let failure { throw failure }
  }

  /// Passes an event to a device's coordinator, if its process is running, and carries out the effects.
  package mutating func perform(_ device: Int, _ event: SimulatedDevice.Process.Event) {
    guard devices[device].isRunning else { return }
    act(device) { $0.pass(at: $1, event) }
  }

  /// The same for an event that can fail with the store.
  mutating func attempt(_ device: Int, _ event: SimulatedDevice.Process.FallibleEvent) throws(StoreError) {
    try attempt(device, acting: { (process, moment) throws(StoreError) in try process.attempt(at: moment, event) })
  }

  /// Passes an event to a device's link, if its process runs and its app has tables, and carries out the effects.
  mutating func link(_ device: Int, _ event: SimulatedDevice.Process.LinkEvent) {
    guard devices[device].isRunning else { return }
    act(device) { $0.pass(at: $1.monotonic, event) }
  }

  mutating func tick(_ device: Int, at: MonotonicTime) {
    guard devices[device].tickAt == at else { return }
    devices[device].tickAt = nil
    act(device) { $0.tick(at: $1.monotonic) }
  }

  // MARK: Messages

  /// A message arrives at a device.
  mutating func arrives(_ message: DeviceMessage, at device: Int) {
    guard let message = devices[device].process.arrived(message) else { return }
    receive(message, on: device)
  }

  /// The process of a device gets a message.
  mutating func receive(_ message: DeviceMessage, on device: Int) {
    switch message {
    case .rows(_, .done(let result)): devices[device].counters.count(result.verdicts)
    case .socketClosed: devices[device].socket = nil
    case .frame(let frame): log(.frame(frame), of: device)
    default: break
    }
    let isRefusal = if case .pushTokenRefused = message { true } else { false }
    checkToken(of: device, isRefused: isRefusal) { world in
      world.act(device) { $0.receive(message, at: $1.monotonic) }
    }
  }

  // MARK: Effects

  /// Lets a device's process do one thing. Returns nil if it is killed.
  private mutating func step<Outcome>(
    _ device: Int, _ event: (inout SimulatedDevice.Process, Moment) -> Outcome
  ) -> Outcome? {
    let wasConnected = devices[device].link?.isConnected == true
    let (outcome, dies) = devices[device].handle(moment(of: device), event)
    // What changed while the device was not connected is fetched.
    if !wasConnected, devices[device].link?.isConnected == true { log(.syncWanted, of: device) }
    guard dies else { return outcome }
    kill(device)
    return nil
  }

  /// Lets a device's process carry on until its work has that depth.
  mutating func carryOn(_ device: Int, to depth: Int = 0) {
    while devices[device].process.depth > depth {
      guard let effect = step(device, { $0.next(at: $1) }) else { return }
      if let effect { carryOut(effect, of: device) }
    }
    guard depth == 0, let due = devices[device].nextTick(from: now) else { return }
    queue.add(.tick(device: device, due), at: due)
  }

  private mutating func carryOut(_ effect: DeviceEffect, of device: Int) {
    if effect.endsEffect, let name = devices[device].effect.take(), devices[device].crash.passed(name) {
      return kill(device)
    }
    if let name = effect.nameOfCoordinator {
      if devices[device].crash.reached(name) { return kill(device) }
      devices[device].effect = name
    }
    switch effect {
    case .send(let exchange): send(exchange, from: device)
    case .askRows(let id, let request, let demands, let token): send(.rows(request, demands), id, token, from: device)
    case .askRelations(let id, let request, let token): send(.relations(request), id, token, from: device)
    case .askFunction(let id, let name, let argument, let token):
      send(.function(name, argument), id, token, from: device)
    case .askAccount(let id, let request, let token): send(.account(request), id, token, from: device)
    case .askObject(let id, let transfer, let token): send(.object(transfer), id, token, from: device)
    case .openSocket: openSocket(of: device)
    case .sendFrame(let frame): send(frame, from: device)
    case .closeSocket: closeSocket(of: device)
    case .edit(let edit): write(edit, on: device)
    case .signedIn(let session): signedIn(device, session)
    case .backUp: backUp(device)
    case .prepareRollback(let path, _): prepareRollback(device, path)
    case .keepPhoto(let name, _): devices[device].process.photosKept([name])
    case .removePhotos: checkQueuedPhotos(device)
    case .requestAbandoned: break
    case .connectPush(let token): connectPush(device, token: token)
    case .closePush: closePush(device)
    case .launch: start(device)
    case .resumed(let messages): for message in messages { receive(message, on: device) }
    default: tell(effect, of: device)
    }
  }

  private mutating func tell(_ effect: DeviceEffect, of device: Int) {
    switch effect {
    case .launched: hasStarted(device)
    case .notLaunched(let error): cannotStart(device, error)
    case .asks(let id, let request): asks(request, id, device)
    case .receives(let id, let answer): receives(answer, to: id, device)
    case .receivesPush(let push, let hint): receives(push, hint, device)
    case .life(let effect): tell(effect, of: device)
    case .wantsSync: if devices[device].isComputing { log(.syncWanted, of: device) }
    case .backgroundRefresh(let effect): note(.device(device), .life, "background refresh: \(effect)")
    case .remoteChange(let records): show(records, on: device)
    case .fact(let fact): tell(fact, of: device)
    case .channelFact(let fact): note(.device(device), .push, fact.text)
    case .photoFact(let fact): note(.device(device), .push, fact.text)
    case .notice(let notice):
      checkNotice(notice, on: device)
      note(.device(device), .push, "\(notice.kind.name): \(notice.action)")
    case .signInFailed(let error): signInFailed(device, error)
    case .migrationTold(let line): note(.device(device), .account, line)
    case .rolledBack(let result): rolledBack(device, result)
    case .sessionLost: signInAsWanted(device)
    case .storeFailed(let error): failed(device, error)
    case .settled: settled(device)
    case .linkSettled: linkSettled(device)
    default: break
    }
  }

  /// The coordinator of a device makes a request.
  private mutating func asks(_ request: CloudRequest, _ id: RequestID, _ device: Int) {
    devices[device].counters.count(
      request, id, timeout: devices[device].app.configuration.limits.requestTimeout, at: now)
    log(.request(id, request, isAlone: devices[device].coordinator.awaitedRequest == id), of: device)
    if devices[device].hasTables { noteTokens(of: request, from: device) }
  }

  /// The coordinator gets the answer to a request. It ignores answers for which it does not wait, such as the second copy
  /// of one.
  private mutating func receives(_ answer: Result<CloudResponse, CloudError>, to id: RequestID, _ device: Int) {
    devices[device].counters.answered(id)
    guard devices[device].coordinator.awaitedRequest == id else { return }
    log(.answer(id, answer), of: device)
  }

  private mutating func tell(_ effect: DeviceLife.Effect, of device: Int) {
    switch effect {
    case .launch, .hand: break
    case .run: note(.device(device), .life, "runs in the background")
    case .suspend:
      note(.device(device), .life, "suspended")
      log(.suspended, of: device)
    case .hold(_, let reason): note(.device(device), .push, "held: \(reason.rawValue)")
    case .discard(_, let reason):
      devices[device].counters.lostPushes += 1
      note(.device(device), .push, "discarded: \(reason.rawValue)")
    }
  }

  /// The coordinator gets a push.
  private mutating func receives(_ push: PushNotification, _ hint: PushHint?, _ device: Int) {
    devices[device].counters.pushes += 1
    let isDiskSound = devices[device].isDiskSound
    let before = (try? devices[device].store.values())?[.pushReceived]?.integer ?? 0
    carryOn(device, to: devices[device].process.depth - 1)
    guard isDiskSound, devices[device].isRunning else { return }
    log(.pushHanded(push, hint: hint, countBefore: before), of: device)
  }

  private mutating func show(_ records: [RecordID], on device: Int) {
    log(.recordsShown(records), of: device)
    guard devices[device].syncsInsideMerge else { return }
    devices[device].syncsInsideMerge = false
    sync(device)
  }

  private mutating func tell(_ fact: DeviceFact, of device: Int) {
    log(.fact(fact), of: device)
    devices[device].counters.count(fact, at: now)
    if let (kind, text) = fact.mark { note(.device(device), kind, text, TraceDetail(fact)) }
  }

  private mutating func settled(_ device: Int) {
    log(.settled, of: device)
    scheduleDiskSync(device)
  }

  private mutating func linkSettled(_ device: Int) {
    guard let state = devices[device].link?.channelState else { return }
    log(.channelShown(state), of: device)
  }

  // MARK: Edits

  /// Writes an edit that a device's process makes by itself.
  private mutating func write(_ edit: DeviceEdit, on device: Int) {
    do throws(StoreError) {
      switch edit.cause {
      case .session, .migration: try store(edit, on: device)
      case .repair: try repair(device, edit.edits)
      case .sessionLost(let reason):
        note(.device(device), .account, "session lost: \(reason)")
        try store(edit, on: device)
      case .photoNamed(let record, let path):
        checkNaming(path, of: record, on: device)
        try self.edit(device, edit.edits, setting: edit.values)
        log(.photoSettled(record), of: device)
      case .photoSetAside(let record, let photo):
        checkSettingAside(photo, of: record, on: device)
        note(.device(device), .fault, "photo of \(record.words) set aside: \(photo.refusal ?? "")")
        try self.edit(device, edit.edits, setting: edit.values)
        log(.photoSettled(record), of: device)
      case .photoOrphans: try self.edit(device, edit.edits, setting: edit.values)
      }
    } catch {
      failed(device, error)
    }
  }

  /// Stores what is no edit of a user or of the app's rules.
  private mutating func store(_ edit: DeviceEdit, on device: Int) throws(StoreError) {
    try attempt(
      device,
      acting: { (process, moment) throws(StoreError) in
        try process.edit(edit.edits, setting: edit.values, at: moment)
      })
  }
}

extension DeviceEffect {
  /// The name of the effect of the coordinator that begins, in crash points; nil for others.
  fileprivate var nameOfCoordinator: String? {
    switch self {
    case .asks: "send"
    case .remoteChange: "remoteChange"
    case .fact(let fact): fact.kind.rawValue
    default: nil
    }
  }

  /// Whether the effect of the coordinator before it is carried out.
  fileprivate var endsEffect: Bool { if case .settled = self { true } else { nameOfCoordinator != nil } }
}
