import ZoneKitMemoryStores
import ZoneKitTimeline
import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// Plays a scenario in virtual time, step by step, until its end or the first failure.
///
/// The same scenario and seed make the same trace, byte for byte, in every process.
package struct ScenarioPlayer {
  /// The settings of a play.
  package struct Settings: Sendable {
    /// The seed of random decisions; nil for the scenario's own.
    package var seed: UInt64?
    /// Whether the trace keeps its events, for a timeline.
    package var keepsEvents = false
    /// Whether requests and answers travel as HTTP messages in the app's protocol, also if the scenario says otherwise.
    package var carriesMessages = false
    /// Whether the outcome has the transitions that made the content of each disk.
    package var keepsHistories = false
    /// The process that is killed, and the step of all its processes, from 1, before which it is. Then only the
    /// conditions that must hold at the end are checked, and steps that cannot be done are skipped.
    package var crash: (place: Place, step: Int)?
    /// The records whose divergence is looked for; nil for none.
    var watch: AgreementWatch?

    /// Finds the rules of a time zone by its name; by default among the few that need no files.
    package var timeZones: @Sendable (String) throws(TimeZoneError) -> TimeZoneRules = {
      (name) throws(TimeZoneError) in try TimeZoneRules.known(name)
    }

    /// The default settings: the scenario's own seed, no events kept, and no process killed.
    package init() {}
  }

  let scenario: Scenario
  let settings: Settings
  private let apps: [DeviceApp]
  let setting: ScenarioSetting
  /// The app on the devices that name no other.
  let app: DeviceApp
  /// The apps of accounts that do not belong to it, by the account's name.
  let otherApps: [String: DeviceApp]
  var world: World
  var observer: Observer
  var steps: [PlayedStep] = []
  /// The backups of disks, with the accounts that were signed in, by device.
  var backups: [String: (disk: MemoryDeviceStore, account: Name?)] = [:]
  /// The copies of zones' files, by account and zone.
  var zoneCopies: [Name: [ZoneID: MemoryZoneStore.ZoneCopy]] = [:]
  /// The backup of the cloud's whole disk; nil if there is none.
  var cloudCopy: MemoryZoneStore?
  /// The faults that steps have added.
  var planted: [PlantedFault] = []
  /// The commands of the users so far.
  var coverage = Coverage()
  /// The number of pushes without a change.
  var strays = 0
  /// The number of violations so far.
  private var violationCount = 0
  /// The expectation that failed; nil if none did, or an invariant was violated.
  private var failed: Expectation?

  /// A player at the start of a scenario. Throws if the header asks for something that does not exist.
  package init(_ scenario: Scenario, apps: [DeviceApp], settings: Settings = Settings()) throws(PlayingError) {
    self.scenario = scenario
    self.settings = settings
    self.apps = apps
    guard var app = scenario.app.map({ name in apps.first { $0.isNamed(name) } }) ?? apps.first else {
      throw PlayingError(
        line: 0, text: "app \(scenario.app ?? "")", "expected one of \(apps.map(\.name).joined(separator: ", "))")
    }
    setting = try ScenarioSetting(scenario, of: app)
    app.configuration = setting.configuration
    self.app = app
    let others = try Self.otherApps(of: scenario, app, apps)
    otherApps = others.ofAccounts
    var options = World.Options()
    options.seed = settings.seed ?? setting.seed
    options.limits = setting.limits
    options.policy = setting.policy
    options.container = app.container
    options.scope = app.configuration.traits.scope
    options.keepsEvents = settings.keepsEvents
    options.keepsHistories = settings.keepsHistories
    options.carriesMessages = settings.carriesMessages || setting.carriesMessages ?? (app.documents != nil)
    world = World(options)
    world.tokenHistory = TokenHistory()
    world.agreementWatch = settings.watch
    observer = Observer(of: app)
    observer.others = others.ofDevices
  }

  /// The apps of devices and accounts that are not the scenario's, by name. Throws if there is no such app, or an
  /// account has devices with two apps.
  private static func otherApps(
    of scenario: Scenario, _ app: DeviceApp, _ apps: [DeviceApp]
  ) throws(PlayingError) -> (ofDevices: [String: DeviceApp], ofAccounts: [String: DeviceApp]) {
    var (ofDevices, ofAccounts): ([String: DeviceApp], [String: DeviceApp]) = ([:], [:])
    var owners: [String: String] = [:]
    for device in scenario.devices {
      let own = try device.app.map { (name) throws(PlayingError) in
        guard let other = apps.first(where: { $0.isNamed(name) }) else {
          let known = apps.map(\.name).joined(separator: ", ")
          throw PlayingError(line: 0, text: "device \(device.name) of app \(name)", "expected one of \(known)")
        }
        return other
      }
      let used = own?.name ?? app.name
      if let account = device.account, let owner = owners.updateValue(used, forKey: account), owner != used {
        throw PlayingError(
          line: 0, text: "device \(device.name)",
          "account \(account) has devices with \(owner); expected another account")
      }
      guard let own, own.name != app.name else { continue }
      ofDevices[device.name] = own
      if let account = device.account { ofAccounts[account] = own }
    }
    return (ofDevices, ofAccounts)
  }

  /// The app to which an account of that name belongs.
  func app(ofAccount name: String) -> DeviceApp { otherApps[name] ?? app }

  // MARK: Playing

  /// Plays the scenario to its end.
  package mutating func play() -> ScenarioOutcome {
    let end = playToTheEnd()
    if case .broken = end, settings.keepsEvents { world.trace.divergence = divergence() }
    return outcome(end)
  }

  private mutating func playToTheEnd() -> ScenarioOutcome.End {
    do throws(Stop) {
      try open()
      try play(scenario.steps)
      if settings.crash != nil { try judgeSweep() }
      return .held
    } catch {
      switch error {
      case .done: return .held
      case .broken(let failure): return .broken(failure)
      case .impossible(let error): return .impossible(error)
      }
    }
  }

  /// The moment from which the records differ that the failed expectation compares; nil if none do.
  private func divergence() -> Trace.Divergence? {
    guard let watch = observer.watch(on: failed, in: world), settings.watch == nil else { return nil }
    var settings = settings
    settings.watch = watch
    // The same scenario was read and played before.
    guard var player = try? ScenarioPlayer(scenario, apps: apps, settings: settings) else { return nil }
    _ = player.playToTheEnd()
    return player.world.agreementWatch?.divergence
  }

  /// The reason for an early end.
  enum Stop: Error {
    /// A step ended the scenario.
    case done
    case broken(ScenarioFailure)
    case impossible(PlayingError)
  }

  /// Whether steps that cannot be done are skipped.
  var isLenient: Bool { setting.isLenient || settings.crash != nil }

  private mutating func open() throws(Stop) {
    for device in scenario.devices {
      do throws(StoreError) {
        let own = observer.app(on: device.name)
        try world.addDevice(named: device.name, app: own, account: nil, policy: setting.life)
        world.devices[world.devices.count - 1].account = device.account.map { world.knownAccount(named: $0, of: own) }
      } catch {
        throw .impossible(PlayingError(line: 0, text: "device \(device.name)", error.message))
      }
    }
    if let limit = setting.rowLimit { world.cloud.process.tables?.rows.limits.answeredRows = limit }
    if let life = setting.tokenLife { world.cloud.tables?.tokenLife = life }
    if let (place, step) = settings.crash {
      switch place {
      case .cloud: world.sweepCloud(at: step)
      case .device(let name):
        guard let device = world.device(named: name) else {
          throw .impossible(PlayingError(line: 0, text: "crash of \(name)", "there is no such device at the beginning"))
        }
        world.sweep(device, at: step)
      }
    }
    for (number, device) in scenario.devices.enumerated() where !device.isOff { world.start(number) }
    observer.meet(world.devices)
    observer.count(from: world)
  }

  private mutating func play(_ lines: [ScenarioLine]) throws(Stop) {
    for line in lines {
      if case .stopUnlessDeviceIDsDiffer = line.step, !world.deviceIDsDiffer { throw .done }
      if case .repeated(let count, let every, let inner) = line.step {
        for _ in 0..<count {
          let end = world.now.advanced(byMilliseconds: every?.milliseconds ?? 0)
          try play(inner)
          world.run(until: end)
        }
      } else {
        try play(line)
      }
    }
  }

  private mutating func play(_ line: ScenarioLine) throws(Stop) {
    var result = PlayedStep.Result.done
    do throws(StepRefusal) {
      if case .expect(let expectation, let span) = line.step {
        result = try expect(expectation, within: span).map { .broken($0) } ?? .kept
      } else {
        world.note(lane(of: line.step), .step, line.step.text, TraceDetail(.step(line: line.number)))
        lookAtFaults()
        let last = world.cloud.process.faults.lastID
        try perform(line.step)
        plant(line, after: last)
        world.watchAgreement()
      }
    } catch {
      guard isLenient else { throw .impossible(PlayingError(line: line.number, text: line.step.text, error.message)) }
      result = .passedOver(error.message)
    }
    try add(line, result)
    observer.meet(world.devices)
    try checkViolations(line)
  }

  /// Adds the result of a step. A failed expectation ends the play.
  private mutating func add(_ line: ScenarioLine, _ result: PlayedStep.Result) throws(Stop) {
    var result = result
    if case .broken = result, settings.crash != nil {
      result = .passedOver("what holds in between is not judged while a process is made to die")
    }
    steps.append(PlayedStep(line: line.number, text: line.step.text, at: world.now.milliseconds, result: result))
    let lane = lane(of: line.step)
    switch result {
    case .done: break
    case .kept: world.note(lane, .kept, line.step.text)
    case .passedOver(let reason): world.note(lane, .step, "passed over: \(reason)")
    case .broken(let seen): throw .broken(fail(line, seen))
    }
  }

  private mutating func checkViolations(_ line: ScenarioLine) throws(Stop) {
    let violations = world.checkers.violations
    guard violations.count > violationCount else { return }
    violationCount = violations.count
    throw .broken(
      ScenarioFailure(
        line: line.number, expected: line.step.text,
        seen: violations.map { "a broken promise at \(TimelineWords.moment($0.at.milliseconds)): \($0)" },
        at: world.now.milliseconds))
  }

  private mutating func fail(_ line: ScenarioLine, _ seen: [String]) -> ScenarioFailure {
    var records: [String] = []
    if case .expect(let expectation, _) = line.step {
      failed = expectation
      records = expectation.record.flatMap { try? observer.record($0) }.map { [$0.recordName.text] } ?? []
    }
    world.note(
      lane(of: line.step), .broken, "\(line.step.text): \(seen.joined(separator: "; "))", TraceDetail(records: records))
    return ScenarioFailure(line: line.number, expected: line.step.text, seen: seen, at: world.now.milliseconds)
  }

  private mutating func outcome(_ end: ScenarioOutcome.End) -> ScenarioOutcome {
    lookAtFaults()
    let unusedFaults = planted.filter { !$0.hasStruck }.grouped(by: \.line).map { same in
      "line \(same[0].line): \(same[0].text)" + (same.count > 1 ? " (\(same.count) times)" : "")
    }
    var crashSteps: [Place: Int] = [.cloud: world.totalCloudSteps]
    for device in world.devices.indices {
      crashSteps[.device(world.devices[device].name)] = world.totalSteps(of: device)
    }
    let histories = world.devices.compactMap { device in device.store.history.map { (device.name, $0) } }
    return ScenarioOutcome(
      name: scenario.name, steps: steps, end: end, violations: world.checkers.violations,
      unusedFaults: unusedFaults, seed: world.options.seed,
      digest: world.trace.digest,
      events: world.eventCount, milliseconds: world.now.milliseconds, crashSteps: crashSteps, coverage: coverage,
      histories: Dictionary(histories, uniquingKeysWith: { first, _ in first }), trace: world.trace)
  }

  // MARK: Expectations

  /// Lets time pass until an expectation holds, at most for the span. Returns the differences; nil if it holds.
  private mutating func expect(_ expectation: Expectation, within span: TimeSpan?) throws(StepRefusal) -> [String]? {
    switch expectation {
    case .noWrites(let time): return rest(time, "writes") { $0.counters.writes }
    case .noRequests(let device, let time):
      return rest(time, "asks") { $0.name == device ? $0.counters.requests : 0 }
    case .convergence, .noEditLost, .currentViews, .copiesToldApart, .nothingLeft, .nobodyAsks:
      return judge(expectation, within: span)
    default: break
    }
    // Whether the subject of an expectation exists does not depend on time.
    if try findings(against: expectation).isEmpty { return nil }
    let end = world.now.advanced(byMilliseconds: span?.milliseconds ?? 0)
    let limit = world.eventCount + Self.eventLimit
    while world.step(by: end) {
      if let storm = storm(limit) { return storm }
      if (try? findings(against: expectation).isEmpty) == true { return nil }
    }
    world.run(until: end)
    let found = try findings(against: expectation)
    return found.isEmpty ? nil : found
  }

  /// Checks an invariant as the end of a random story does, with requests to the cloud. Returns the violations since
  /// then.
  private mutating func judge(_ expectation: Expectation, within span: TimeSpan?) -> [String]? {
    let count = world.checkers.violations.count
    switch expectation {
    case .convergence(let byPushes):
      _ = world.expectConvergence(within: span?.milliseconds ?? 0, rule: byPushes ? .pushNeeded : .convergence)
    case .noEditLost: world.checkEdits()
    case .currentViews: world.checkViews()
    case .copiesToldApart: world.checkCopies()
    case .nothingLeft: world.checkLeftovers()
    case .nobodyAsks(let time): world.expectRest(for: time.milliseconds)
    default: preconditionFailure("not a promise of a story's end")
    }
    let broken = world.checkers.violations[count...].map(\.description)
    return broken.isEmpty ? nil : broken
  }

  /// The most events while the player waits for something.
  static let eventLimit = 200_000

  private func storm(_ limit: Int) -> [String]? {
    guard world.eventCount > limit else { return nil }
    return [
      "a storm: more than \(Self.eventLimit) things happened until \(TimelineWords.moment(world.now.milliseconds))"
    ]
  }

  /// Lets that time pass and checks that a counter of each device does not grow.
  private mutating func rest(
    _ time: TimeSpan, _ what: String, _ number: (SimulatedDevice) -> Int
  ) -> [String]? {
    let before = world.devices.map(number)
    let start = world.now
    let limit = world.eventCount + Self.eventLimit
    let broke = world.run(until: start.advanced(byMilliseconds: time.milliseconds)) { world in
      zip(world.devices, before).contains { number($0) > $1 } || world.eventCount > limit
    }
    guard broke else { return nil }
    if let storm = storm(limit) { return storm }
    let after = world.now.milliseconds - start.milliseconds
    return zip(world.devices, before).filter { number($0) > $1 }.map { device, _ in
      "\(device.name) \(what) after \(TimeSpan(milliseconds: after).text)"
    }
  }

  /// Checks what must hold at the end of every scenario whose process was killed, after all faults have ended and every
  /// user has opened the app once, because a lost push may have been the last one: all devices agree, and no requests
  /// are sent.
  private mutating func judgeSweep() throws(Stop) {
    world.wait(2 * World.crashPause)
    healEverything()
    world.startCloud()
    for device in world.devices.indices where world.devices[device].life > 0 {
      // A crash that the scenario set and that did not happen must not happen now.
      world.crash(device, at: nil)
      world.foreground(device)
    }
    let number = (scenario.steps.last?.number ?? 0) + 1
    // Longer than the hour for which devices do not save to a full cloud.
    let limit = TimeSpan(milliseconds: 4_500_000)
    for expectation in [Expectation.everyoneAgrees, .noWrites(TimeSpan(milliseconds: 600_000))] {
      let line = ScenarioLine(number, .expect(expectation, within: limit))
      var seen: [String]?
      do throws(StepRefusal) {
        seen = try expect(expectation, within: limit)
      } catch {
        throw .impossible(PlayingError(line: number, text: line.step.text, error.message))
      }
      if let seen { throw .broken(fail(line, seen)) }
    }
  }

  /// The lane of a step in a timeline: that of the first device that it names, otherwise that of the cloud.
  private func lane(of step: ScenarioStep) -> TraceEvent.Lane {
    step.device.flatMap { world.device(named: $0) }.map { .device($0) } ?? .cloud
  }
}
