import Glibc
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// Operations on devices.
extension ProcessWorld {
  /// Sends a command to a device and returns its answer. Throws if the device is not running or answers with an error.
  @discardableResult
  func say(_ line: String, to device: ProcessDevice) throws(ProcessFailure) -> JSON {
    holdLinks(true)
    defer { holdLinks(false) }
    return try converse(line, with: device)
  }

  /// Does the same for a command whose answer needs answers of the server, so that traffic goes on meanwhile.
  @discardableResult
  func converse(_ line: String, with device: ProcessDevice) throws(ProcessFailure) -> JSON {
    guard let process = device.process, device.isRunning else {
      throw .refused("\(device.name) is not running; start it before the command: \(line)")
    }
    let mark = device.mark
    process.send(line)
    var answer: JSON?
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

  /// Performs a command of the app on a device. Remembers the records that it makes, with the app's words for their
  /// kind.
  @discardableResult
  func perform(_ line: String, on device: ProcessDevice) throws(ProcessFailure) -> JSON {
    let answer = try say(line, to: device)
    guard !line.hasPrefix("edit "), !line.hasPrefix("delete "), !line.hasPrefix("stop ") else { return answer }
    let view = try records(of: device)
    // An app without words of its own for the records of a command names none.
    let words = answer["kinds"]?.array ?? []
    for (index, name) in (answer["records"]?.array ?? []).enumerated() {
      guard let name = name.string else { continue }
      let type = view.type(of: Name(name))
      let word = words.indices.contains(index) ? words[index].string : nil
      let kinds = device.app.kinds.filter { $0.type == type }.map(\.word) + [word].compactMap(\.self)
      if !kinds.isEmpty { device.note(MadeRecord(name: name, kinds: kinds, account: device.account)) }
    }
    return answer
  }

  /// Tells a device that its network is gone, or is back.
  func setOnline(_ isOnline: Bool, _ device: ProcessDevice) throws(ProcessFailure) {
    device.isOffline = !isOnline
    if isOnline, server != nil { try accept(device) }
    if device.isRunning { try say(isOnline ? "online" : "offline", to: device) }
    if !isOnline { device.link.refuse() }
  }

  /// Sets the clock of a device to the true time plus the offset, in milliseconds. The clock runs.
  func setClock(of device: ProcessDevice, ahead milliseconds: Int64) throws(ProcessFailure) {
    device.clock.set(offset: milliseconds, at: now)
    device.standsAt = nil
    guard device.isRunning else { return }
    try say("clock real", to: device)
    if milliseconds != 0 { try say("clock \(milliseconds < 0 ? "-" : "+")\(milliseconds.magnitude)ms", to: device) }
    if device.clock.drift != 0 { try say("clock drift \(device.clock.drift)", to: device) }
  }

  /// Makes the clock of a device run fast by that many parts per million; slow if negative.
  func driftClock(of device: ProcessDevice, by millionths: Int64) throws(ProcessFailure) {
    device.clock.set(drift: millionths, at: now)
    if device.isRunning { try say("clock drift \(millionths)", to: device) }
  }

  /// Stops the clock of a device at that time.
  func standClock(of device: ProcessDevice, at time: WallTime) throws(ProcessFailure) {
    device.standsAt = time
    if device.isRunning { try say("clock \(time.iso8601)", to: device) }
  }

  /// Moves a device to the time zone of that name.
  func setTimeZone(of device: ProcessDevice, _ name: String) throws(ProcessFailure) {
    if device.isRunning { try say("timezone \(name)", to: device) }
    device.timeZone = name
  }

  /// Erases a device, including its device ID. The device is not running afterwards.
  func erase(_ device: ProcessDevice) throws(ProcessFailure) {
    if device.isRunning { try kill(device) }
    _ = try ProcessFailure.from { () throws(StoresError) in
      try DeviceErasure(of: device.name, in: data).perform(backingUp: false, at: SystemClock.wall)
    }
  }

  /// Copies the store of a device as its backup. Replaces an older backup.
  func backUp(_ device: ProcessDevice) throws(ProcessFailure) {
    do throws(StoreError) {
      try Folder.make(data.backups)
      try Folder.remove(backup(of: device))
      try Backup.copyFolder(try data.device(device.name), to: backup(of: device))
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// Puts the backup of `source` on a device, including the device ID. Without a backup it copies the present store of
  /// `source`. The device is not running afterwards.
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

  /// Performs a scripted reset. Processes that use the affected files are ended before it and started after it.
  func reset(_ target: ResetTarget) throws(ProcessFailure) {
    let running = devices.filter { $0.isRunning && target.concerns($0.name) }
    for device in running { try kill(device) }
    let stopsServer = server != nil && target.concernsCloud
    if stopsServer { try stopServer(atOnce: false) }
    var generator = SystemGenerator()
    _ = try ProcessFailure.from { () throws(StoresError) in
      try ScriptedReset(target, in: data).perform(backingUp: false, at: SystemClock.wall, using: &generator)
    }
    if stopsServer { try startServer() }
    for device in running { try start(device) }
  }
}

extension ResetTarget {
  /// Whether that device must not run during the reset.
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
