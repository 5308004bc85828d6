import ZoneKitDeviceHost
import Glibc
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// A server, devices and the links between them, as processes and sockets in their own folder.
///
/// One loop runs the links and reads the output of the processes. It runs only during a wait.
final class ProcessWorld {
  /// The time limit of a wait, in milliseconds.
  static let patience: Int64 = 10_000
  /// How long no device may report an event before all count as idle, in milliseconds. It is longer than any delay of
  /// the devices, such as the debounce before a sync.
  static let calm: Int64 = 1_000

  /// The app of the devices that name none.
  let app: DeviceApp
  /// The folder of all files of the processes.
  let data: DataDirectory
  /// Runs the loop.
  let waiter: EventWaiter
  /// The server's process; nil while the server is not running.
  private(set) var server: ChildProcess?
  /// All devices, in the order in which they were added.
  private(set) var devices: [ProcessDevice] = []
  /// The settings of the server and the devices.
  let settings: ProcessSettings
  /// The rest of the fault plan when the server was stopped. The server keeps its plan in memory only.
  private var faultsLeft: [JSON] = []
  /// The names under which the cloud keeps the data of accounts, where they differ from those of the scenario.
  var accountIDs: [String: Name] = [:]
  /// The change tokens that each device has used, by account.
  var tokens = TokenUse()
  /// The triggers that kill a process at one of its messages.
  var killTriggers: [KillTrigger] = []
  /// The time of the monotonic clock.
  var now: MonotonicTime { MonotonicTime(milliseconds: waiter.loop.now) }
  /// The client for administration. It connects to the server directly, without a link.
  private(set) lazy var admin = AdminClient(
    at: http, app: app, limits: settings.limits, on: waiter,
    databases: { [unowned self] in app(ofAccount: $0).database(of: $0) }, onWait: { [unowned self] in holdLinks($0) })
  private let folder: String

  /// A world without devices, for devices with that app and others, in a new folder. Throws if the folder or the loop cannot be
  /// made.
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

  /// Ends all processes, devices before the server. Removes the folder unless it is to be kept. Returns the folder if
  /// it remains, and the error if it could not be removed.
  func end(keepingFiles: Bool = false) -> (folder: String, error: StoreError?)? {
    // An orderly end sends what waits, over links that nobody serves any more.
    for device in devices { device.process?.end(with: SIGKILL) }
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

  /// The server's address for requests.
  var http: Address { .unix(path: "\(folder)/server.http") }
  /// The server's address for pushes.
  var push: Address { .unix(path: "\(folder)/server.push") }

  /// Starts the server, waits until it listens, and lets devices connect through the links.
  func startServer() throws(ProcessFailure) {
    guard server == nil else { throw .refused("the server runs already") }
    var isReady = false
    server = try ChildProcess(
      "the server",
      ["serve", "--data", folder, "--http", "\(http)", "--push", "\(push)"] + settings.serverOptions
        + describingOptions(of: app),
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

  /// Stops the server: at once, as in a power cut, or with an orderly shutdown. Devices cannot connect until it is
  /// started again.
  func stopServer(atOnce: Bool) throws(ProcessFailure) {
    guard server != nil else { throw .refused("the server does not run") }
    faultsLeft = try admin.faults()
    endServer(with: atOnce ? SIGKILL : SIGTERM)
  }

  /// Ends the server with a signal, if it is running. Devices cannot connect until it is started again.
  func endServer(with signal: Int32) {
    server?.end(with: signal)
    server = nil
    for device in devices { device.link.refuse() }
  }

  /// The option with the file that describes the data of an app, which is written to the folder; none for an app without one.
  private func describingOptions(of app: DeviceApp) throws(ProcessFailure) -> [String] {
    guard let file = app.describingFile else { return [] }
    let path = "\(folder)/described\(app.hasTables ? ".sql" : ".json")"
    do throws(StoreError) { try Folder.write(file.text, to: path) } catch { throw .unavailable("\(error)") }
    return [app.hasTables ? "--tables" : "--documents", path]
  }

  // MARK: Devices

  /// Adds a device with its own links. It is not running yet.
  @discardableResult
  func add(_ name: String, account: String?, app: DeviceApp) throws(ProcessFailure) -> ProcessDevice {
    guard !devices.contains(where: { $0.name == name }) else { throw .refused("there is a device \(name) already") }
    do {
      let link = try DeviceLink(path: "\(folder)/\(devices.count)", http: http, push: push, on: waiter.loop)
      if server == nil { link.refuse() }
      let device = ProcessDevice(name, account: account, app: app, link: link)
      devices.append(device)
      link.requests.onMessage = { [unowned self, unowned device] in hear($0, of: device) }
      return device
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// The device of that name. Throws if there is none.
  func device(_ name: String) throws(ProcessFailure) -> ProcessDevice {
    guard let device = devices.first(where: { $0.name == name }) else {
      throw .refused("there is no device \(name); there are \(devices.map(\.name).joined(separator: ", "))")
    }
    return device
  }

  /// Starts the process of a device and waits until it has launched.
  func start(_ device: ProcessDevice) throws(ProcessFailure) {
    guard !device.isRunning else { throw .refused("\(device.name) runs already") }
    device.isForceQuit = false
    let mark = device.mark
    var arguments = [
      "device", device.name, "--app", device.app.name, "--data", folder, "--server", "\(device.link.requests.address)",
      "--push",
      "\(device.link.pushes.address)", "--json", "--eager", "--life", "--linger", "0",
      "--clock-offset=\(device.clock.offset(at: now))", "--clock-drift=\(device.clock.drift)",
      "--timezone", device.timeZone,
    ]
    if device.isOffline { arguments.append("--offline") }
    arguments += settings.tuning.map { "--tune=\($0)" } + settings.deviceOptions
    arguments += try describingOptions(of: device.app)
    if !device.app.hasTables { arguments += device.account.map { ["--user", $0] } ?? ["--signed-out"] }
    device.process = try ChildProcess(device.name, arguments, on: waiter) { device.hear($0) }
    try until("\(device.name) has launched", on: device) { !device.events("launched", since: mark).isEmpty }
    if let time = device.standsAt { try say("clock \(time.iso8601)", to: device) }
    if device.app.hasTables { try signInToTables(device) }
  }

  /// Ends the process of a device at once, as `kill -9` does. An orderly end waits for answers, which the links do not
  /// forward meanwhile.
  func kill(_ device: ProcessDevice) throws(ProcessFailure) {
    guard device.process != nil else { throw .refused("\(device.name) does not run") }
    device.end(with: SIGKILL)
  }

  /// Lets the device connect through its links again.
  func accept(_ device: ProcessDevice) throws(ProcessFailure) {
    do {
      try device.link.accept()
    } catch {
      throw .unavailable("\(error)")
    }
  }

  // MARK: Waiting

  /// Stops or resumes all traffic between the devices and the server. A step of a scenario takes no time, so nothing
  /// passes while a step waits for its answer: its consequences must not come before the next step.
  func holdLinks(_ isHeld: Bool) {
    for device in devices { device.link.hold(isHeld) }
  }

  /// Waits until the condition holds. Throws if it does not hold in time or if the device ends.
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
