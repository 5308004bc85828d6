import ZoneKitDeviceHost
import ZoneKitStorage
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService

/// Plays a scenario on processes and sockets. The steps are the same as in virtual time. The player waits for each
/// expectation until it holds.
///
/// A scenario that processes cannot play is refused before any process starts. A step that fails and an expectation
/// that does not hold in time end the play with a failure that names the line.
package final class ProcessPlayer {
  /// The shortest time limit of an expectation, in milliseconds. A real machine is slower than virtual time.
  static let patience: Int64 = 5_000
  /// The longest time limit of an expectation, in milliseconds, even if the scenario allows more.
  static let longestPatience: Int64 = 180_000
  /// How long the player checks that something does not happen, in milliseconds.
  static let longestWatch: Int64 = 3_000

  /// The result of a step, or of all repetitions of a step with the same result.
  package struct Report {
    /// The line number in the file.
    package let line: Int
    /// The step.
    package let step: ScenarioStep
    /// The duration in milliseconds; the sum over all repetitions.
    package fileprivate(set) var milliseconds: Int64
    /// How the play deviates from the step's text; nil if it does not.
    package let note: String?
    /// How long after `measure from here` the expectation held, in milliseconds; nil if that was not measured.
    package let latency: Double?
    /// The number of repetitions, from 1.
    package fileprivate(set) var count = 1
  }

  /// The processes.
  let world: ProcessWorld
  let scenario: Scenario
  /// The apps that devices may name.
  private let apps: [DeviceApp]
  /// The number of events at which counting begins, by device.
  var marks: [String: Int] = [:]
  /// The server's counts of verdicts on rows at which counting begins.
  var verdicts: [String: Int64] = [:]
  /// When the measurement began that the next expectation ends, in nanoseconds of the monotonic clock; nil if none did.
  private var measuredFrom: Int64?
  /// The plain client of documents.
  package internal(set) var plainClient = PlainClient()
  /// How the present step deviates from its text; nil if it does not.
  var note: String?
  /// What the present step measured, in milliseconds; nil if nothing.
  private var latency: Double?
  /// The length in milliseconds to which longer waits are cut; nil if waits are not cut.
  private let cut: Int64?
  private let report: (Report) -> Void
  /// The results of the repetitions in progress; nil outside of repetitions.
  private var rounds: [Report]?

  /// A player of the scenario on devices with that app and those of `apps` that they name, in a new folder. Throws if
  /// processes cannot play the scenario.
  ///
  /// `cut` is the length in milliseconds to which longer waits are cut. `report` is called after each step; for
  /// repeated steps, after the last repetition.
  package init(
    _ scenario: Scenario, app: DeviceApp, apps: [DeviceApp], cuttingWaitsTo cut: Int64?,
    report: @escaping (Report) -> Void
  ) throws(ProcessFailure) {
    try ProcessRefusals(app: app, others: apps, cutsWaits: cut != nil).check(scenario)
    let settings = try ProcessSettings(scenario.options)
    self.cut = cut
    self.apps = apps
    self.scenario = scenario
    self.report = report
    world = try ProcessWorld(app: app, settings)
  }

  /// The folder of all files of the processes.
  package var folder: String { world.data.root }

  /// Ends all processes and removes the folder unless it is to be kept. Returns the folder if it remains, and the error
  /// if it could not be removed.
  package func end(keepingFiles: Bool) -> (folder: String, error: StoreError?)? {
    world.end(keepingFiles: keepingFiles)
  }

  /// Plays the whole scenario. Throws if a step fails or an expectation does not hold.
  package func play() throws(ProcessFailure) {
    do throws(ProcessFailure) {
      try playAll()
    } catch {
      // A signal to the process group also ends the devices, and their end may be noticed before the signal.
      throw world.waiter.interruption.map { .interrupted(by: $0) } ?? error
    }
  }

  private func playAll() throws(ProcessFailure) {
    try world.startServer()
    for device in scenario.devices {
      let app = apps.first { $0.name == device.app } ?? world.app
      let added = try world.add(device.name, account: device.account, app: app)
      guard !device.isOff else { continue }
      try world.start(added)
      try world.settle([added])
    }
    try play(scenario.steps)
  }

  private func play(_ lines: [ScenarioLine]) throws(ProcessFailure) {
    for (index, line) in lines.enumerated() {
      let start = world.now.milliseconds
      (note, latency) = (nil, nil)
      do {
        if case .wait(let span) = line.step, lines.dropFirst(index + 1).first?.step == .countFromHere {
          try settle(within: span)
        } else {
          try play(line.step)
        }
      } catch {
        throw error.at(line: line.number, line.step.text)
      }
      let done = Report(
        line: line.number, step: line.step, milliseconds: world.now.milliseconds - start, note: note, latency: latency)
      if rounds == nil { report(done) } else { rounds?.append(done) }
    }
  }

  /// Plays the lines `count` times. Each round takes `every` at least, as in virtual time. Reports each line once, even if
  /// one of them fails.
  private func play(_ lines: [ScenarioLine], times count: Int, every: TimeSpan?) throws(ProcessFailure) {
    let isOutermost = rounds == nil
    if isOutermost { rounds = [] }
    defer { if isOutermost { reportRounds() } }
    for _ in 0..<count {
      let start = world.now.milliseconds
      try play(lines)
      let passed = world.now.milliseconds - start
      if let every, passed < every.milliseconds { try pass(TimeSpan(milliseconds: every.milliseconds - passed)) }
    }
  }

  private func reportRounds() {
    for same in (rounds ?? []).grouped(by: { "\($0.line) \($0.note ?? "")" }) {
      var all = same[0]
      all.count = same.count
      all.milliseconds = same.reduce(0) { $0 + $1.milliseconds }
      report(all)
    }
    rounds = nil
  }

  // MARK: Steps

  private func play(_ step: ScenarioStep) throws(ProcessFailure) {
    switch step {
    case .wait(let span): try pass(span)
    case .note: return
    case .countFromHere:
      // Requests in progress were caused before this step and must not be counted after it.
      try world.rest()
      for device in world.devices {
        marks[device.name] = device.mark
        device.traffic.countAnew()
      }
      if world.app.hasTables, world.server != nil { verdicts = try world.admin.verdicts() }
    case .measureFromHere: measuredFrom = MonotonicClock.nanoseconds
    case .repeated(let count, let every, let lines): try play(lines, times: count, every: every)
    case .app(let step): try play(step)
    case .link(let step): try play(step)
    case .push(let step): try play(step)
    case .cloud(let step): try play(step)
    case .zone(let step): try play(step)
    case .life(let step): try play(step)
    case .account(let step): try play(step)
    case .clock(let step): try play(step)
    case .tables(let step): try play(step)
    case .documents(let step): try play(step)
    case .disk, .stopUnlessDeviceIDsDiffer: throw .virtualOnly("no process can do that")
    case .damage(let step): try play(step)
    case .reset(let step): try play(step)
    case .expect(let expectation, let within):
      try expect(expectation, within: within)
      latency = measuredFrom.map { Double(MonotonicClock.nanoseconds - $0) / 1_000_000 }
      measuredFrom = nil
    }
  }

  /// Waits until all processes are idle, for at most the span. A wait before `count from here` has this purpose.
  private func settle(within span: TimeSpan) throws(ProcessFailure) {
    let start = world.now.milliseconds
    guard try world.calmDown(atMost: min(span.milliseconds, cut ?? ProcessRefusals.longestWait)) else { return }
    let passed = world.now.milliseconds - start
    if passed < span.milliseconds { note = "all was at rest after \(TimeSpan(milliseconds: passed).text)" }
  }

  /// Lets real time pass.
  func pass(_ span: TimeSpan) throws(ProcessFailure) {
    if let cut, span.milliseconds > cut {
      note = "cut to \(TimeSpan(milliseconds: cut).text)"
      return try world.waiter.pass(cut)
    }
    try world.waiter.pass(span.milliseconds)
  }

  /// The device that made the record that a step names; nil if the step names the record itself.
  func owner(of record: RecordReference) throws(ProcessFailure) -> ProcessDevice? {
    switch record {
    case .last(let owner, _), .nth(_, let owner, _): try world.device(owner)
    case .named: nil
    }
  }

  /// The app with the record that a step names.
  package func app(of record: RecordReference) throws(ProcessFailure) -> DeviceApp {
    try owner(of: record)?.app ?? world.app
  }

  /// The name of the record that a step names.
  func name(of record: RecordReference) throws(ProcessFailure) -> String {
    let owner: String
    let kind: String
    let number: Int?
    switch record {
    case .named(let name): return name
    case .last(let device, let word): (owner, kind, number) = (device, word, nil)
    case .nth(let place, let device, let word): (owner, kind, number) = (device, word, place)
    }
    let made = try world.device(owner).made.filter { $0.kinds.contains(kind) || kind == "record" }
    let index = number.map { $0 - 1 } ?? made.count - 1
    guard made.indices.contains(index) else {
      throw .refused("\(owner) has made \(made.count) of the kind \(kind)")
    }
    return made[index].name
  }
}
