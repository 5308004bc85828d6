import Glibc
import NannyAndMe
import Records
import Service
import Storage

/// What can be done to devices.
extension RealStage {
  /// Says a line to a device's prompt and gives its answer. Throws where the device does not run, or refuses it.
  @discardableResult
  func say(_ line: String, to device: RealDevice) throws(ExitFailure) -> JSON {
    guard let process = device.process, device.isRunning else {
      throw .usage("\(device.name) does not run; start it before it is told: \(line)")
    }
    let mark = device.mark
    process.tell(line)
    var answer: JSON?
    try until("\(device.name) answers: \(line)", on: device) {
      answer = device.events[mark...].first { event in
        (event["event"] == "answer" || event["event"] == "error") && event["command"]?.string == line
      }
      return answer != nil
    }
    guard let answer, answer["event"] == "answer" else {
      throw .usage("\(device.name) refused \(line): \(answer?["message"]?.string ?? "without a reason")")
    }
    return answer
  }

  /// Lets the user of a device do something in the app; what was changed is remembered.
  @discardableResult
  func perform(_ line: String, on device: RealDevice) throws(ExitFailure) -> JSON {
    let answer = try say(line, to: device)
    if let records = answer["records"]?.array { device.lastRecords = records.compactMap(\.string) }
    return answer
  }

  /// Takes a device's network away, or gives it back; the device knows.
  func setOnline(_ isOnline: Bool, _ device: RealDevice) throws(ExitFailure) {
    device.isOffline = !isOnline
    if isOnline, server != nil { try accept(device) }
    if device.isRunning { try say(isOnline ? "online" : "offline", to: device) }
    if !isOnline { device.link.refuse() }
  }

  /// Sets a device's clock ahead by so many milliseconds, or back.
  func moveClock(of device: RealDevice, by milliseconds: Int64) throws(ExitFailure) {
    device.clock.move(by: milliseconds)
    guard device.isRunning else { return }
    try say("clock \(milliseconds < 0 ? "-" : "+")\(milliseconds.magnitude)ms", to: device)
  }

  /// Makes a device's clock run too fast by so many millionths, or too slow.
  func driftClock(of device: RealDevice, by millionths: Int64) throws(ExitFailure) {
    device.clock.drift(by: millionths, at: loop.now)
    if device.isRunning { try say("clock drift \(millionths)", to: device) }
  }

  /// Signs an account in on a device, or none.
  func signIn(_ account: String?, on device: RealDevice) throws(ExitFailure) {
    device.account = account
    if device.isRunning { try say("account \(account ?? "none")", to: device) }
  }

  /// Wipes a device, its identity included; it does not run afterwards.
  func erase(_ device: RealDevice) throws(ExitFailure) {
    if device.isRunning { try kill(device) }
    _ = try ExitFailure.from { () throws(StoresError) in
      try DeviceErasure(of: device.name, in: data).perform(backingUp: false, at: SystemClock.wall)
    }
  }

  /// Puts on a device what another one holds now, its identity included, as a restored backup does. The device does not run
  /// afterwards; the other one may.
  func restoreCopy(of source: RealDevice, to device: RealDevice) throws(ExitFailure) {
    guard source !== device else { throw .usage("\(device.name) cannot be restored from itself as it is now") }
    if device.isRunning { try kill(device) }
    do throws(StoreError) {
      let target = try data.device(device.name)
      try Folder.remove(target)
      try Backup.copyFolder(try data.device(source.name), to: target)
    } catch {
      throw .unavailable("\(error)")
    }
    device.account = source.account
  }

  /// Does a scripted reset; processes that hold what it is about are ended before and started after.
  func reset(_ target: ResetTarget) throws(ExitFailure) {
    let running = devices.filter { $0.isRunning && target.concerns($0.name) }
    for device in running { try kill(device) }
    let stopsServer = server != nil && target.concernsCloud
    if stopsServer { try stopServer(atOnce: false) }
    var generator = SystemRandomNumberGenerator()
    _ = try ExitFailure.from { () throws(StoresError) in
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
