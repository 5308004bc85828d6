import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitPush
import ZoneKitRecords
import ZoneKitSync

/// Performs all steps except those that act on the cloud.
extension ScenarioPlayer {
  /// Performs one step. Throws if it cannot be done.
  mutating func perform(_ step: ScenarioStep) throws(StepRefusal) {
    switch step {
    case .wait(let span): world.wait(span.milliseconds)
    // The text is already in the trace, which has the time of each step.
    case .note, .measureFromHere, .stopUnlessDeviceIDsDiffer: break
    case .countFromHere:
      world.measureAnew()
      observer.count(from: world)
    case .repeated, .expect: throw StepRefusal("this is no single step")
    case .app(let step): try perform(step)
    case .link(let step): try perform(step)
    case .push(let step): try perform(step)
    case .cloud(let step): try perform(step)
    case .zone(let step): try perform(step)
    case .life(let step): try perform(step)
    case .account(let step): try perform(step)
    case .clock(let step): try perform(step)
    case .disk(let step): try perform(step)
    case .damage(let step): try perform(step)
    case .reset(let step): try perform(step)
    case .tables(let step): try perform(step)
    case .documents(let step): try perform(step)
    }
  }

  /// The number of a device whose process is running. Waits for one that a sweep killed.
  mutating func running(_ device: String) throws(StepRefusal) -> Int {
    let number = try existing(device)
    if settings.crash != nil, !world.devices[number].isRunning {
      _ = world.run(until: world.now.advanced(byMilliseconds: 2 * World.crashPause)) { $0.devices[number].isRunning }
    }
    guard world.devices[number].isRunning else { throw StepRefusal("\(device) does not run") }
    return number
  }

  mutating func running(_ devices: DeviceChoice) throws(StepRefusal) -> [Int] {
    var numbers: [Int] = []
    for name in devices.names(among: world.devices.map(\.name)) { numbers.append(try running(name)) }
    return numbers
  }

  // MARK: The app

  private mutating func perform(_ step: AppStep) throws(StepRefusal) {
    switch step {
    case .perform(let devices, let line):
      for device in try running(devices) { try type(line, on: device) }
    case .edit(let device, let record, let words):
      try type("edit \(try observer.record(record).recordName.text) \(words)", on: try running(device))
    case .delete(let device, let record):
      let (device, id) = (try running(device), try observer.record(record))
      guard world.devices[device].local(id)?.local != nil else {
        throw StepRefusal("\(world.devices[device].name) does not have it")
      }
      // A record that the scenario names may be in a zone that no command of the app reaches.
      guard case .named = record else { return try type("delete \(id.recordName.text)", on: device) }
      try write([.delete(id)], on: device)
    case .save(let device, let name, let type, let zone, let parent, let fields):
      let device = try running(device)
      if let zone { observer.remember(zone: ZoneID(zoneName: Name(zone)), of: name) }
      try save(try observer.record(.named(name)), type, parent, fields, on: device)
    case .sync(let devices): for device in try running(devices) { world.sync(device) }
    case .syncInsideMerge(let device): world.syncInsideMerge(try running(device))
    }
  }

  /// Performs a command of the app as the device's user.
  private mutating func type(_ line: String, on device: Int) throws(StepRefusal) {
    let state = world.devices[device].stateForCoverage
    let visit = Coverage.Visit(
      app: world.devices[device].app.name, form: Coverage.form(of: line), state: state)
    var answer = AppAnswer()
    do throws(AppRefusal) {
      answer = try world.answer(device, line)
    } catch {
      coverage.counts[visit, default: Coverage.Count()].refused += 1
      throw StepRefusal(error.description)
    }
    if answer.edits.isEmpty, answer.appValues.isEmpty {
      coverage.counts[visit, default: Coverage.Count()].unchanged += 1
    } else {
      coverage.counts[visit, default: Coverage.Count()].changed += 1
    }
    // An edit that changes nothing does not write.
    let before = world.usersRecords(on: device)
    try write(answer.edits, setting: answer.appValues, on: device)
    world.judgeCommand(line, before, on: device)
  }

  private mutating func save(
    _ id: RecordID, _ type: String?, _ parent: String?, _ fields: [ScenarioField], on device: Int
  ) throws(StepRefusal) {
    let old = world.devices[device].local(id)
    guard let type = type.map({ Name($0) }) ?? old?.recordType ?? world.devices[device].app.kinds.first?.type else {
      throw StepRefusal("say of which type the record is")
    }
    var content = (try? old?.local?.fields.decoded()) ?? Fields()
    for field in fields {
      content[Name(field.name)] =
        switch field.value {
        case .text(let text): .string(text)
        case .integer(let number): .int64(number)
        case .none: nil
        }
    }
    let above = parent.map { Name($0) } ?? old?.local?.parent
    try write([.save(id, type: type, fields: content, parent: above, stamping: .now)], on: device)
  }

  /// Writes edits of the app. Remembers new records as made by the device.
  private mutating func write(
    _ edits: [RecordEdit], setting appValues: [AppValueChange] = [], on device: Int
  ) throws(StepRefusal) {
    // The store itself must not be retained: its next commit would copy it.
    let known = edits.map { world.devices[device].local($0.recordID)?.local != nil }
    do throws(StoreError) {
      try world.edit(device, edits, setting: appValues)
    } catch {
      world.failed(device, error)
      throw StepRefusal("the store failed: \(error.message)")
    }
    for (edit, wasThere) in zip(edits, known) where !wasThere {
      // A process that was killed before its commit made nothing.
      guard case .save(let id, let type, _, _, _) = edit, world.devices[device].local(id) != nil else { continue }
      observer.remember(Observer.Made(id: id, type: type), of: world.devices[device].name)
    }
  }

  // MARK: Links

  private mutating func perform(_ step: LinkStep) throws(StepRefusal) {
    switch step {
    case .offline(let devices): for device in try existing(devices) { world.setOnline(device, false) }
    case .online(let devices): for device in try existing(devices) { world.setOnline(device, true) }
    case .cut(let link): try change(link) { $0.isCut = true }
    case .slow(let link, let span): try change(link) { $0.delay = span.milliseconds...span.milliseconds }
    case .lose(let percent, let link): try change(link) { $0.loss = percent * 10 }
    case .duplicate(let percent, let link): try change(link) { $0.duplication = percent * 10 }
    case .reorder(let link):
      try change(link) {
        $0.isReordering = true
        $0.delay = 5...max(2_000, $0.delay.upperBound)
      }
    case .clog(let link): try change(link) { $0.isClogged = true }
    case .heal(let link): try change(link) { $0 = LinkConditions() }
    case .set(let devices, let link): for device in try existing(devices) { world.setLink(device, link) }
    case .healEverything: healEverything()
    case .recover(let restarting):
      world.recover(
        accounts: scenario.devices.map { $0.account.map { account(named: $0) } }, restarting: restarting)
    }
  }

  private mutating func change(
    _ link: ScenarioLink, _ change: (inout LinkConditions) -> Void
  ) throws(StepRefusal) {
    var links = world.links
    switch link {
    case .both(let devices):
      for device in try existing(devices) {
        change(&links[device].up)
        change(&links[device].down)
        change(&links[device].push)
      }
    case .toCloud(let devices): for device in try existing(devices) { change(&links[device].up) }
    case .fromCloud(let devices): for device in try existing(devices) { change(&links[device].down) }
    case .push(let devices): for device in try existing(devices) { change(&links[device].push) }
    }
    for (device, link) in links.enumerated() { world.setLink(device, link) }
  }

  mutating func healEverything() {
    world.cloud.process.faults.removeAll()
    for device in world.devices.indices {
      world.pushFaults[device].removeAll()
      world.setLink(device, Link())
      world.setDiskDelay(device, nil)
      world.changeDisk(device) { disk in
        disk.faults = []
        disk.isFull = false
      }
    }
  }

  // MARK: Pushes

  private mutating func perform(_ step: PushStep) throws(StepRefusal) {
    switch step {
    case .fault(let fault): world.pushFaults[try existing(fault.receiver)].add(fault.fault)
    case .replay(let device):
      let device = try existing(device)
      guard let push = world.pushFaults[device].last else { throw StepRefusal("no push was made for it so far") }
      world.deliver(push, to: device)
    case .flow(let device): world.pushFaults[try existing(device)].removeAll()
    case .stray(let device, let subscription):
      let device = try existing(device)
      let app = world.devices[device].app
      world.deliver(try stray(to: world.devices[device].account, of: app, subscription), to: device)
    case .strayAccount(let device, let account):
      let app = app(ofAccount: account)
      world.deliver(
        try stray(to: self.account(named: account), of: app, app.configuration.pushes.subscriptionID ?? ""),
        to: try existing(device))
    case .tokenDies(let device):
      let device = try existing(device)
      guard world.devices[device].coordinator.pushToken != nil else { throw StepRefusal("it has none yet") }
      guard world.cloud.isRunning else { throw StepRefusal("the cloud does not run") }
      world.endPushToken(of: device)
    case .gatewayRestarts: world.restartGateway()
    }
  }

  /// A push without a change, with its own notification ID.
  private mutating func stray(
    to account: Name?, of app: DeviceApp, _ subscription: String
  ) throws(StepRefusal) -> PushNotification {
    guard let account else { throw StepRefusal("nobody is signed in there") }
    strays += 1
    var push = PushNotification(subject: .database, notificationID: "stray-\(strays)")
    push.container = app.container
    push.userRecordName = UserRecordName.of(user: account)
    push.subscriptionID = subscription
    push.scope = app.configuration.traits.scope
    push.zoneID = app.zones.first
    return push
  }
}

extension World {
  /// Restarts the measurements of the time between requests and of requests at the same time.
  mutating func measureAnew() {
    for device in devices.indices { devices[device].counters.measureAnew() }
  }
}
