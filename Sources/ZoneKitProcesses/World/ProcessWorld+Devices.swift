import Glibc
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// What can be done to devices.
extension ProcessWorld {
  /// Says a line to a device's prompt and gives its answer. Throws where the device does not run, or refuses it.
  @discardableResult
  func say(_ line: String, to device: ProcessDevice) throws(ProcessFailure) -> JSON {
    guard let process = device.process, device.isRunning else {
      throw .refused("\(device.name) does not run; start it before it is told: \(line)")
    }
    let mark = device.mark
    process.send(line)
    var answer: JSON?
    holdLinks(true)
    defer { holdLinks(false) }
    try until("\(device.name) answers: \(line)", on: device) {
      answer = device.events[mark...].first { event in
        (event["event"] == "answer" || event["event"] == "error") && event["command"]?.string == line
      }
      return answer != nil
    }
    guard let answer, answer["event"] == "answer" else {
      throw .refused("\(device.name) refused \(line): \(answer?["message"]?.string ?? "without a reason")")
    }
    return answer
  }

  /// Lets the user of a device do something in the app; what that makes is remembered with the app's arguments for it.
  @discardableResult
  func perform(_ line: String, on device: ProcessDevice) throws(ProcessFailure) -> JSON {
    let answer = try say(line, to: device)
    guard !line.hasPrefix("edit "), !line.hasPrefix("delete "), !line.hasPrefix("stop ") else { return answer }
    let view = try records(of: device)
    for (name, kind) in zip(answer["records"]?.array ?? [], answer["kinds"]?.array ?? []) {
      guard let name = name.string, let kind = kind.string else { continue }
      let type = view.type(of: Name(name))
      let kinds = app.kinds.filter { $0.type == type }.map(\.word) + [kind]
      device.note(MadeRecord(name: name, kinds: kinds, account: device.account))
    }
    return answer
  }

  /// Takes a device's network away, or gives it back; the device knows.
  func setOnline(_ isOnline: Bool, _ device: ProcessDevice) throws(ProcessFailure) {
    device.isOffline = !isOnline
    if isOnline, server != nil { try accept(device) }
    if device.isRunning { try say(isOnline ? "online" : "offline", to: device) }
    if !isOnline { device.link.refuse() }
  }

  /// Sets a device's clock so many milliseconds ahead of the true time, or behind; it runs.
  func setClock(of device: ProcessDevice, ahead milliseconds: Int64) throws(ProcessFailure) {
    device.clock.set(offset: milliseconds, at: now)
    device.standsAt = nil
    guard device.isRunning else { return }
    try say("clock real", to: device)
    if milliseconds != 0 { try say("clock \(milliseconds < 0 ? "-" : "+")\(milliseconds.magnitude)ms", to: device) }
    if device.clock.drift != 0 { try say("clock drift \(device.clock.drift)", to: device) }
  }

  /// Makes a device's clock run too fast by so many millionths, or too slow.
  func driftClock(of device: ProcessDevice, by millionths: Int64) throws(ProcessFailure) {
    device.clock.set(drift: millionths, at: now)
    if device.isRunning { try say("clock drift \(millionths)", to: device) }
  }

  /// Makes a device's clock stand.
  func standClock(of device: ProcessDevice, at time: WallTime) throws(ProcessFailure) {
    device.standsAt = time
    if device.isRunning { try say("clock \(time.iso8601)", to: device) }
  }

  /// Signs an account in on a device, or none.
  func signIn(_ account: String?, on device: ProcessDevice) throws(ProcessFailure) {
    device.account = account
    if device.isRunning { try say("account \(account ?? "none")", to: device) }
  }

  /// Wipes a device, its identity included; it does not run afterwards.
  func erase(_ device: ProcessDevice) throws(ProcessFailure) {
    if device.isRunning { try kill(device) }
    _ = try ProcessFailure.from { () throws(StoresError) in
      try DeviceErasure(of: device.name, in: data).perform(backingUp: false, at: SystemClock.wall)
    }
  }

  /// Keeps a copy of what a device holds, in the place of an older one.
  func backUp(_ device: ProcessDevice) throws(ProcessFailure) {
    do throws(StoreError) {
      try Folder.make(data.backups)
      try Folder.remove(backup(of: device))
      try Backup.copyFolder(try data.device(device.name), to: backup(of: device))
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// Puts a backup on a device, its own or another's, identity included; without one, what the other device holds now. The
  /// device does not run afterwards.
  func restore(_ device: ProcessDevice, from source: ProcessDevice) throws(ProcessFailure) {
    let hasBackup = Folder.exists(backup(of: source))
    guard hasBackup || source !== device else { throw .refused("there is no backup of \(source.name)") }
    if device.isRunning { try kill(device) }
    do throws(StoreError) {
      let target = try data.device(device.name)
      try Folder.remove(target)
      try Backup.copyFolder(hasBackup ? backup(of: source) : try data.device(source.name), to: target)
    } catch {
      throw .unavailable("\(error)")
    }
    device.account = source.account
  }

  private func backup(of device: ProcessDevice) -> String {
    "\(data.backups)/\(devices.firstIndex { $0 === device } ?? devices.count)"
  }

  /// Does a scripted reset; processes that hold what it is about are ended before and started after.
  func reset(_ target: ResetTarget) throws(ProcessFailure) {
    let running = devices.filter { $0.isRunning && target.concerns($0.name) }
    for device in running { try kill(device) }
    let stopsServer = server != nil && target.concernsCloud
    if stopsServer { try stopServer(atOnce: false) }
    var generator = SystemRandomNumberGenerator()
    _ = try ProcessFailure.from { () throws(StoresError) in
      try ScriptedReset(target, in: data).perform(backingUp: false, at: SystemClock.wall, using: &generator)
    }
    if stopsServer { try startServer() }
    for device in running { try start(device) }
  }
}

extension ResetTarget {
  /// Whether the reset needs that device not to run.
  fileprivate func concerns(_ device: String) -> Bool {
    switch self {
    case .local(let name, _), .tokens(let name): name == device
    case .cloud: false
    case .all: true
    }
  }

  fileprivate var concernsCloud: Bool {
    switch self {
    case .local, .tokens: false
    case .cloud, .all: true
    }
  }
}
