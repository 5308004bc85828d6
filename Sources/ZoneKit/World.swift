import ZoneKitTimeline
import ZoneKitRecords
import ZoneKitSimulator

/// A simulation of devices that run an app, their cloud and its push service, in virtual time.
///
/// The cloud and the devices run the code of the real service. Only links, clocks and disks are simulated; the test
/// controls them. Everything depends on the seed: the same calls on a world with the same seed have the same results on
/// every machine.
///
/// A world belongs to one test: it is not `Sendable`, and its devices and its cloud are handles to it.
public final class World: CustomStringConvertible {
  /// The seed of all random decisions, such as delays.
  public let seed: UInt64
  /// The app on all devices.
  public let app: SyncApp
  /// The default account of devices.
  public let account: Name
  var simulation: ZoneKitSimulator.World

  /// A world with devices of those names, which run the app and are signed in to one account.
  ///
  /// `keepsEvents` determines whether the timeline is kept. A simulation of weeks needs less memory without it.
  public init(
    _ app: SyncApp, devices: [String] = [], account: Name = "user", seed: UInt64 = 1, keepsEvents: Bool = true
  ) {
    self.app = app
    self.account = account
    self.seed = seed
    var options = ZoneKitSimulator.World.Options()
    options.seed = seed
    options.keepsEvents = keepsEvents
    simulation = ZoneKitSimulator.World(options)
    for name in devices { addDevice(name) }
  }

  /// The seed and the names of the devices.
  public var description: String { "world of seed \(seed) with \(devices.map(\.name).joined(separator: ", "))" }

  // MARK: Devices

  /// Adds a device and opens the app on it. The default account is the world's.
  @discardableResult
  public func addDevice(_ name: String, account: Name? = nil) -> Device {
    precondition(simulation.device(named: name) == nil, "there is a device \(name) already")
    do {
      let number = try simulation.addDevice(
        named: name, app: app.simulated, account: account ?? self.account)
      simulation.start(number)
      return Device(world: self, number: number)
    } catch {
      preconditionFailure("an empty store in memory can be read: \(error)")
    }
  }

  /// The device of that name. It must exist.
  public subscript(name: String) -> Device {
    guard let number = simulation.device(named: name) else {
      preconditionFailure("there is no device \(name); there are \(devices.map(\.name))")
    }
    return Device(world: self, number: number)
  }

  /// All devices, in the order in which they were added.
  public var devices: [Device] { simulation.devices.indices.map { Device(world: self, number: $0) } }

  /// The cloud and its push service.
  public var cloud: Cloud { Cloud(world: self) }

  // MARK: Time

  /// The virtual time since the start.
  public var elapsed: Duration { .milliseconds(simulation.now.milliseconds) }

  /// The true time. The cloud's clock always has it.
  public var now: WallTime { simulation.wall }

  /// Lets that much time pass. Everything that is due happens.
  public func wait(_ duration: Duration) { simulation.wait(duration.milliseconds) }

  /// Lets time pass until the condition holds, for at most `limit`. Checks it every 10 ms. Returns whether it holds.
  @discardableResult
  public func run(until isSo: () throws -> Bool, atMost limit: Duration = .minutes(1)) rethrows -> Bool {
    let end = simulation.now.advanced(byMilliseconds: limit.milliseconds)
    while try !isSo() {
      guard simulation.now < end else { return false }
      simulation.run(until: min(end, simulation.now.advanced(byMilliseconds: 10)))
    }
    return true
  }

  // MARK: What happened

  /// A hash of everything that has happened, as 16 hexadecimal digits: equal for equal runs.
  public var digest: String { simulation.trace.digest }

  /// The timeline as a standalone SVG document. It has empty lanes if the world keeps no events.
  public var timelineSVG: String { Timeline(simulation.trace, title: "seed \(seed)").svg }

  /// The timeline as lines for a terminal.
  public var timelineText: String { Timeline(simulation.trace, title: "seed \(seed)").text }

  /// The violated invariants and failed expectations so far, in sentences: for example a request storm, a fetch without
  /// a reason, a stamp that went back, or a decision that the app finds wrong.
  public var violations: [String] { simulation.checkers.violations.map(\.description) }

  /// Adds a note to the timeline.
  public func note(_ text: String) { simulation.note(.cloud, .step, text) }

  /// The diagnostics of a device.
  public func diagnostics(of name: String) throws(StoreError) -> DeviceDiagnostics { try self[name].diagnostics() }
}
