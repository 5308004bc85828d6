import ZoneKitTimeline
import ZoneKitRecords
import ZoneKitSimulator

/// Devices that run an app, their cloud and its push service, in virtual time.
///
/// Cloud and devices run the code of the real service; only links, clocks and disks are simulated, as the test sets them.
/// Everything comes from the seed: the same calls on a world of the same seed lead to the same, on every machine.
///
/// A world belongs to one test: it is not `Sendable`, and its devices and its cloud are handles to it.
public final class World: CustomStringConvertible {
  /// Decides everything that is left to chance, such as how long a link takes.
  public let seed: UInt64
  /// The app on all devices.
  public let app: SyncApp
  /// Who is signed in where nobody else is named.
  public let account: Name
  var simulation: ZoneKitSimulator.World

  /// A world whose devices have those names, run the app and are signed in to one account.
  ///
  /// `keepsEvents` says whether the timeline is kept. A world that runs for virtual weeks needs less memory without it.
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

  /// Its seed and who is there.
  public var description: String { "world of seed \(seed) with \(devices.map(\.name).joined(separator: ", "))" }

  // MARK: Who is there

  /// Adds a device and opens the app on it. It is signed in to that account, or to the world's.
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

  /// The device of that name, which must be there.
  public subscript(name: String) -> Device {
    guard let number = simulation.device(named: name) else {
      preconditionFailure("there is no device \(name); there are \(devices.map(\.name))")
    }
    return Device(world: self, number: number)
  }

  /// All devices, in the order in which they came.
  public var devices: [Device] { simulation.devices.indices.map { Device(world: self, number: $0) } }

  /// The cloud and its push service.
  public var cloud: Cloud { Cloud(world: self) }

  // MARK: Time

  /// How much time has passed since the beginning.
  public var elapsed: Duration { .milliseconds(simulation.now.milliseconds) }

  /// The true time, which the cloud's clock always shows.
  public var now: WallTime { simulation.wall }

  /// Lets that much time pass, and everything happen that is due.
  public func wait(_ duration: Duration) { simulation.wait(duration.milliseconds) }

  /// Lets time pass until something is so, looked at every 10 ms, at most for that long; says whether it is so.
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

  /// 16 hexadecimal digits that stand for all that happened: equal for two runs that were the same.
  public var digest: String { simulation.trace.digest }

  /// All that happened as a picture: a standalone SVG document. Empty lanes where the world keeps no events.
  public var timelineSVG: String { Timeline(simulation.trace, title: "seed \(seed)").svg }

  /// All that happened as lines for a terminal.
  public var timelineText: String { Timeline(simulation.trace, title: "seed \(seed)").text }

  /// What must not have happened and did, in sentences: a request storm, a fetch without a reason, a stamp that went
  /// back, a decision that the app objects to, an expectation that was not met.
  public var violations: [String] { simulation.checkers.violations.map(\.description) }

  /// Puts a word of your own into the timeline.
  public func note(_ text: String) { simulation.note(.cloud, .step, text) }

  /// All there is to say about a device.
  public func diagnostics(of name: String) throws(StoreError) -> DeviceDiagnostics { try self[name].diagnostics() }
}
