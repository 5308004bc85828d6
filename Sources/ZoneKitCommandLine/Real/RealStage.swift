import ZoneKitEventLoop
import Glibc
import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// A server, devices and the links between them as processes and sockets in a folder of their own.
///
/// One loop carries the links and hears the processes, so nothing moves but while the stage waits: for an answer, for an
/// effect, or for a time. Every wait ends with the effect, or with an error when it does not come.
final class RealStage {
  /// How long anything may take before it is given up, in milliseconds.
  static let patience: Int64 = 10_000
  /// How long a look at files waits for something to be said before it looks again, in milliseconds.
  private static let glance: Int64 = 50
  /// For how long nobody may have said anything where all is calm, in milliseconds: longer than anything is put off that
  /// has not been asked for, such as the quiet time before a sync.
  static let calm: Int64 = 1_000

  /// Everything that the processes keep.
  let data: DataDirectory
  let loop: Loop
  /// The server's process; nil while it does not run.
  private(set) var server: RealProcess?
  /// All devices, in the order in which they came.
  private(set) var devices: [RealDevice] = []
  private let folder: String
  private var hasHeard = false
  /// Whether the system asked for the end of the run.
  private(set) var wasInterrupted = false
  /// What devices are told about themselves when they start, such as `fallback=60000`.
  var tuning: [String] = []
  /// What the server is told about itself when it starts, such as `--origin-leak=100`.
  var serverTuning: [String] = []
  /// What the cloud allows, where that is not what it allows anyway.
  var limits: [JSON.Member] = []
  /// What was left of the faults when the server was ended, which keeps them in memory alone.
  private var faultsLeft: [JSON] = []
  /// Whose change tokens were used by whom.
  var tokens = RealTokens()
  /// What ends a process at one of its messages.
  var ambushes: [Ambush] = []
  /// The time that never jumps.
  var now: MonotonicTime { MonotonicTime(milliseconds: loop.now) }
  /// Speaks to the server without a link between.
  private(set) lazy var console = CloudConsole(at: http, container: NannyZone.container, on: loop)
  private lazy var alarm = Timer(on: loop) { [unowned self] in loop.stop() }

  /// An empty stage in a new folder. Throws where the system gives none.
  init() throws(ExitFailure) {
    do {
      loop = try Loop()
      folder = try Folder.makeTemporary()
      data = DataDirectory(folder)
    } catch {
      throw .unavailable("\(error)")
    }
    loop.onTurnEnd = { [unowned self] in if hasHeard || wasInterrupted { loop.stop() } }
    do throws(LoopError) {
      for signal in SignalWatcher.Signal.allCases {
        _ = try SignalWatcher(signal, on: loop) { [unowned self] _ in wasInterrupted = true }
      }
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// Ends all processes, devices before the server that they talk to, and removes the folder unless it is to be kept.
  func end(keepingFiles: Bool = false) {
    for device in devices { device.process?.end(with: SIGTERM) }
    server?.end(with: SIGTERM)
    // A loop that is told to stop while it closes would not come to its end.
    loop.onTurnEnd = nil
    loop.closeAll()
    if keepingFiles {
      Console.complain("files kept in \(folder)")
    } else if case .failure(let error) = Result(catching: { () throws(StoreError) in try Folder.remove(folder) }) {
      Console.complain("the folder of the run stays: \(error)")
    }
  }

  // MARK: Server

  /// Where the server answers requests.
  var http: Address { .unix(path: "\(folder)/server.http") }
  /// Where the server pushes.
  var push: Address { .unix(path: "\(folder)/server.push") }

  /// Starts the server and waits until it listens; the links let devices through to it.
  func startServer() throws(ExitFailure) {
    guard server == nil else { throw .usage("the server runs already") }
    var isReady = false
    server = try RealProcess(
      "the server", ["serve", "--data", folder, "--http", "\(http)", "--push", "\(push)"] + serverTuning, on: loop
    ) { [unowned self] line in
      hasHeard = true
      if line?["event"]?.string == "ready" { isReady = true }
    }
    try until("the server is ready") { () throws(ExitFailure) in
      guard server?.hasEnded == false else { throw .unavailable("the server ended before it was ready") }
      return isReady
    }
    try setLimits()
    try addFaults(faultsLeft)
    faultsLeft = []
    for device in devices { try accept(device) }
  }

  /// Ends the server at once, as a power cut would, or in good order. Devices cannot reach it until it is started.
  func stopServer(atOnce: Bool) throws(ExitFailure) {
    guard server != nil else { throw .usage("the server does not run") }
    faultsLeft = try faults()
    endServer(with: atOnce ? SIGKILL : SIGTERM)
  }

  /// Ends the server, if it runs; devices cannot reach it.
  func endServer(with signal: Int32) {
    server?.end(with: signal)
    server = nil
    for device in devices { device.link.refuse() }
  }

  // MARK: Devices

  /// Adds a device with links of its own; it does not run yet.
  @discardableResult
  func add(_ name: String, account: String?) throws(ExitFailure) -> RealDevice {
    guard !devices.contains(where: { $0.name == name }) else { throw .usage("there is a device \(name) already") }
    do {
      let link = try DeviceLink(path: "\(folder)/\(devices.count)", http: http, push: push, on: loop)
      if server == nil { link.refuse() }
      let device = RealDevice(name, account: account, link: link)
      devices.append(device)
      link.requests.onMessage = { [unowned self, unowned device] in hear($0, of: device) }
      return device
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// The device of that name.
  func device(_ name: String) throws(ExitFailure) -> RealDevice {
    guard let device = devices.first(where: { $0.name == name }) else {
      throw .usage("there is no device \(name); there are \(devices.map(\.name).joined(separator: ", "))")
    }
    return device
  }

  /// Starts a device's process and waits until the device has launched.
  func start(_ device: RealDevice) throws(ExitFailure) {
    guard !device.isRunning else { throw .usage("\(device.name) runs already") }
    device.isForceQuit = false
    let mark = device.mark
    var words = [
      "device", device.name, "--data", folder, "--server", "\(device.link.requests.address)", "--push",
      "\(device.link.pushes.address)", "--json", "--eager", "--life", "--linger", "0",
      "--clock-offset=\(device.clock.offset(at: now))", "--clock-drift=\(device.clock.drift)",
    ]
    if device.isOffline { words.append("--offline") }
    words += tuning.map { "--tune=\($0)" }
    words += device.account.map { ["--user", $0] } ?? ["--signed-out"]
    device.process = try RealProcess(device.name, words, on: loop) { [unowned self] line in
      hasHeard = true
      if let line { device.hear(line) }
    }
    try until("\(device.name) has launched", on: device) { !device.events("launched", since: mark).isEmpty }
    if let time = device.standsAt { try say("clock \(time.iso8601)", to: device) }
  }

  /// Ends a device's process at once, as `kill -9` does, or in good order.
  func kill(_ device: RealDevice, with signal: Int32 = SIGKILL) throws(ExitFailure) {
    guard device.process != nil else { throw .usage("\(device.name) does not run") }
    device.end(with: signal)
  }

  /// Lets connections through to the server again.
  func accept(_ device: RealDevice) throws(ExitFailure) {
    do {
      try device.link.accept()
    } catch {
      throw .unavailable("\(error)")
    }
  }

  // MARK: Waiting

  /// Says that a wait may be over.
  func somethingHappened() { hasHeard = true }

  /// Lets the world go on until something was said, or for that many milliseconds.
  func listen(for time: Int64) throws(ExitFailure) {
    hasHeard = false
    alarm.schedule(after: time)
    loop.run()
    alarm.cancel()
    if wasInterrupted { throw .unavailable("interrupted") }
  }

  /// Lets the world go on for that many milliseconds.
  func pass(_ time: Int64) throws(ExitFailure) {
    let end = loop.now + time
    while loop.now < end { try listen(for: end - loop.now) }
  }

  /// Waits until it is so, and returns how many milliseconds that took; nil where it was not so in time. Effects that
  /// nobody tells of, such as those in files, are looked for again and again.
  func wait(atMost patience: Int64, _ isSo: () throws(ExitFailure) -> Bool) throws(ExitFailure) -> Int64? {
    let start = loop.now
    while try !isSo() {
      let rest = start + patience - loop.now
      guard rest > 0 else { return nil }
      try listen(for: min(rest, Self.glance))
    }
    return loop.now - start
  }

  /// Waits for an answer to something that was asked from outside, while nothing passes between the devices and the server:
  /// a step takes no time in the story, and what it sets off must not overtake the step behind it.
  func untilAnswered(_ what: String, by device: RealDevice? = nil, _ isSo: () throws(ExitFailure) -> Bool)
    throws(ExitFailure)
  {
    for device in devices { device.link.hold(true) }
    defer { for device in devices { device.link.hold(false) } }
    try until(what, on: device, isSo)
  }

  /// Waits until it is so; throws where it is not so in time, or where the device ends meanwhile.
  func until(
    _ what: String, on device: RealDevice? = nil, atMost patience: Int64 = RealStage.patience,
    _ isSo: () throws(ExitFailure) -> Bool
  ) throws(ExitFailure) {
    let time = try wait(atMost: patience) { () throws(ExitFailure) in
      if try isSo() { return true }
      if let device, !device.isRunning { throw .checkFailed("\(device.name) ended before this was so: \(what)") }
      return false
    }
    if time == nil { throw .checkFailed("not within \(patience) ms: \(what)") }
  }
}
