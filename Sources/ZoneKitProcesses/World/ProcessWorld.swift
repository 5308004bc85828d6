import ZoneKitDeviceHost
import Glibc
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator
import ZoneKitStorage

/// A server, devices and the links between them, as processes and sockets in a folder of their own.
///
/// One loop carries the links and reads what the processes say. It runs only while something is waited for.
final class ProcessWorld {
  /// How long anything may take before it is given up, in milliseconds.
  static let patience: Int64 = 10_000
  /// For how long no device may have said anything where all is at rest, in milliseconds: longer than any delay that devices
  /// make by themselves, such as the quiet time before a sync.
  static let calm: Int64 = 1_000

  /// The app that the devices run.
  let app: DeviceApp
  /// The folder of everything that the processes keep.
  let data: DataDirectory
  /// Runs the loop.
  let waiter: EventWaiter
  /// The server's process; nil while it does not run.
  private(set) var server: ChildProcess?
  /// All devices, in the order in which they were added.
  private(set) var devices: [ProcessDevice] = []
  /// How the server and the devices are set up.
  let settings: ProcessSettings
  /// What was left of the faults when the server was ended, which keeps them in memory only.
  private var faultsLeft: [JSON] = []
  /// Which account's change tokens each device has used.
  var tokens = TokenUse()
  /// What kills a process at one of its messages.
  var killTriggers: [KillTrigger] = []
  /// The time that never jumps.
  var now: MonotonicTime { MonotonicTime(milliseconds: waiter.loop.now) }
  /// Asks the server without a link between.
  private(set) lazy var admin = AdminClient(
    at: http, container: app.container, limits: settings.limits, on: waiter
  ) { [unowned self] in holdLinks($0) }
  private let folder: String

  /// An empty world for devices with that app, in a new folder. Throws where the system gives none.
  init(app: DeviceApp, _ settings: ProcessSettings) throws(ProcessFailure) {
    self.app = app
    self.settings = settings
    waiter = try EventWaiter()
    do throws(StoreError) {
      folder = try Folder.makeTemporary()
    } catch {
      throw .unavailable("\(error)")
    }
    data = DataDirectory(folder)
    try waiter.watchSignals()
  }

  /// Ends all processes, devices before the server that they talk to. Removes the folder unless it is to be kept; returns the
  /// folder where it stays, and why it could not be removed.
  func end(keepingFiles: Bool = false) -> (folder: String, error: StoreError?)? {
    for device in devices { device.process?.end(with: SIGTERM) }
    server?.end(with: SIGTERM)
    waiter.close()
    if keepingFiles { return (folder, nil) }
    do throws(StoreError) {
      try Folder.remove(folder)
      return nil
    } catch {
      return (folder, error)
    }
  }

  // MARK: Server

  /// Where the server answers requests.
  var http: Address { .unix(path: "\(folder)/server.http") }
  /// Where the server pushes.
  var push: Address { .unix(path: "\(folder)/server.push") }

  /// Starts the server and waits until it listens; the links let devices through to it.
  func startServer() throws(ProcessFailure) {
    guard server == nil else { throw .refused("the server runs already") }
    var isReady = false
    server = try ChildProcess(
      "the server", ["serve", "--data", folder, "--http", "\(http)", "--push", "\(push)"] + settings.serverOptions,
      on: waiter
    ) { line in
      if line["event"]?.string == "ready" { isReady = true }
    }
    try until("the server is ready") { () throws(ProcessFailure) in
      guard server?.hasEnded == false else { throw .unavailable("the server ended before it was ready") }
      return isReady
    }
    try admin.setLimits()
    try admin.addFaults(faultsLeft)
    faultsLeft = []
    for device in devices { try accept(device) }
  }

  /// Ends the server at once, as a power cut would, or in good order. Devices cannot reach it until it is started.
  func stopServer(atOnce: Bool) throws(ProcessFailure) {
    guard server != nil else { throw .refused("the server does not run") }
    faultsLeft = try admin.faults()
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
  func add(_ name: String, account: String?) throws(ProcessFailure) -> ProcessDevice {
    guard !devices.contains(where: { $0.name == name }) else { throw .refused("there is a device \(name) already") }
    do {
      let link = try DeviceLink(path: "\(folder)/\(devices.count)", http: http, push: push, on: waiter.loop)
      if server == nil { link.refuse() }
      let device = ProcessDevice(name, account: account, link: link)
      devices.append(device)
      link.requests.onMessage = { [unowned self, unowned device] in hear($0, of: device) }
      return device
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// The device of that name.
  func device(_ name: String) throws(ProcessFailure) -> ProcessDevice {
    guard let device = devices.first(where: { $0.name == name }) else {
      throw .refused("there is no device \(name); there are \(devices.map(\.name).joined(separator: ", "))")
    }
    return device
  }

  /// Starts a device's process and waits until the device has launched.
  func start(_ device: ProcessDevice) throws(ProcessFailure) {
    guard !device.isRunning else { throw .refused("\(device.name) runs already") }
    device.isForceQuit = false
    let mark = device.mark
    var arguments = [
      "device", device.name, "--data", folder, "--server", "\(device.link.requests.address)", "--push",
      "\(device.link.pushes.address)", "--json", "--eager", "--life", "--linger", "0",
      "--clock-offset=\(device.clock.offset(at: now))", "--clock-drift=\(device.clock.drift)",
    ]
    if device.isOffline { arguments.append("--offline") }
    arguments += settings.tuning.map { "--tune=\($0)" }
    arguments += device.account.map { ["--user", $0] } ?? ["--signed-out"]
    device.process = try ChildProcess(device.name, arguments, on: waiter) { device.hear($0) }
    try until("\(device.name) has launched", on: device) { !device.events("launched", since: mark).isEmpty }
    if let time = device.standsAt { try say("clock \(time.iso8601)", to: device) }
  }

  /// Ends a device's process at once, as `kill -9` does, or in good order.
  func kill(_ device: ProcessDevice, with signal: Int32 = SIGKILL) throws(ProcessFailure) {
    guard device.process != nil else { throw .refused("\(device.name) does not run") }
    device.end(with: signal)
  }

  /// Lets connections through to the server again.
  func accept(_ device: ProcessDevice) throws(ProcessFailure) {
    do {
      try device.link.accept()
    } catch {
      throw .unavailable("\(error)")
    }
  }

  // MARK: Waiting

  /// Stops everything between the devices and the server, or lets it go on. A step takes no time in a scenario, so nothing
  /// passes while a step waits for its answer: what the step causes must not overtake the step behind it.
  func holdLinks(_ isHeld: Bool) {
    for device in devices { device.link.hold(isHeld) }
  }

  /// Waits until it is so; throws where it is not so in time, or where the device ends meanwhile.
  func until(
    _ what: String, on device: ProcessDevice? = nil, atMost patience: Int64 = ProcessWorld.patience,
    _ isSo: () throws(ProcessFailure) -> Bool
  ) throws(ProcessFailure) {
    let time = try waiter.wait(atMost: patience) { () throws(ProcessFailure) in
      if try isSo() { return true }
      if let device, !device.isRunning { throw .broken("\(device.name) ended before this was so: \(what)") }
      return false
    }
    if time == nil { throw .broken("not within \(patience) ms: \(what)") }
  }
}
