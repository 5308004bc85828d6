import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitSync

/// A device with an app and a coordinator over a store in memory, without a cloud, for tests of apps. Its clock goes on by
/// a second with each command.
package struct AppDevice {
  /// The coordinator. Tests change it with `change` and `commit`.
  package private(set) var coordinator: SyncCoordinator<MemoryDeviceStore>
  /// The running app.
  package var app: any RunningApp
  /// The account that is signed in; nil if none is.
  package private(set) var account: Name?
  /// The time of the device's clock.
  package var now: WallTime
  /// The device's time zone.
  package var timeZone = TimeZoneRules.utc
  private let installed: DeviceApp
  private var generator = SplitMix64(seed: 1)

  /// A new device of that account with an app.
  package init(_ app: DeviceApp, account: Name?, at now: WallTime) throws {
    installed = app
    self.account = account
    self.now = now
    coordinator = try SyncCoordinator(store: MemoryDeviceStore(), configuration: app.configuration)
    self.app = try app.launch(AppView(store: coordinator.store, account: account, wall: now))
    _ = try coordinator.launch(account: account, at: moment, using: &generator)
  }

  /// The time for the coordinator.
  package var moment: Moment { Moment(wall: now, monotonic: MonotonicTime(milliseconds: now.milliseconds)) }
  /// The device's state for the app.
  package var view: AppView { AppView(store: coordinator.store, account: account, wall: now, timeZone: timeZone) }
  /// The device's store.
  package var store: MemoryDeviceStore { coordinator.store }

  // MARK: Commands

  /// Performs a command, stores its edits, and returns the answer.
  @discardableResult
  package mutating func perform(_ line: String) throws -> AppAnswer {
    now = now.advanced(byMilliseconds: 1_000)
    let answer = try app.perform(line, in: view, using: &generator)
    try save(answer)
    return answer
  }

  /// The lines that a command prints.
  @discardableResult
  package mutating func run(_ line: String) throws -> [String] { try perform(line).lines() }

  /// The JSON members of a command's answer.
  package mutating func json(_ line: String) throws -> JSON { .object(try perform(line).members(in: view)) }

  /// The sentence with which a command is refused; empty if it is not refused.
  package mutating func refusal(of line: String) throws -> String {
    try refusal { try $0.perform(line) }
  }

  /// The sentence with which the app refuses some work; empty if it does not.
  package mutating func refusal<Result>(of work: (inout AppDevice) throws -> Result) throws -> String {
    do {
      _ = try work(&self)
      return ""
    } catch let refusal as AppRefusal {
      return refusal.description
    }
  }

  /// Performs random commands of the app, drawn with that seed. Returns their verbs, and how often which sentence refused
  /// one.
  package mutating func performRandomCommands(
    _ count: Int, seed: UInt64
  ) throws -> (verbs: Set<String>, refusals: [String: Int]) {
    guard let draw = installed.simulation.randomLine else { return ([], [:]) }
    var random = SplitMix64(seed: seed)
    var (verbs, refusals): (Set<String>, [String: Int]) = ([], [:])
    for _ in 0..<count {
      let line = draw { random.next() }
      verbs.insert(String(line.prefix { $0 != " " }))
      let refusal = try refusal(of: line)
      if !refusal.isEmpty { refusals[refusal, default: 0] += 1 }
    }
    return (verbs, refusals)
  }

  // MARK: The store

  /// Stores what an answer changes.
  package mutating func save(_ answer: AppAnswer) throws {
    _ = try coordinator.edit(answer.edits, setting: answer.appValues, at: moment, using: &generator)
    try app.refresh(answer.edits.map(\.recordID), from: view)
  }

  /// Writes to the store, and starts the coordinator and the app anew.
  package mutating func commit(_ transition: DeviceTransition) throws {
    var store = store
    try store.commit(transition)
    coordinator = try SyncCoordinator(store: store, configuration: installed.configuration)
    try relaunch()
  }

  /// Starts the app anew.
  package mutating func relaunch() throws { app = try installed.launch(view) }

  /// Signs the account out and gives the device what another one wrote without an account.
  package mutating func restore(_ backup: AppDevice) throws {
    let records = try backup.store.pending(in: nil, after: 0, limit: .max)
    _ = try coordinator.signOut(restoring: records, try backup.store.appValues(), at: moment, using: &generator)
    account = nil
    try relaunch()
  }
}
