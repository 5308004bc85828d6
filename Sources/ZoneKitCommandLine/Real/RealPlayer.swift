import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator

/// Plays a scenario on processes and sockets: the same steps, and what must hold is waited for.
///
/// A step that no process can do ends the run with exit code 2 and a sentence; an expectation that does not come true in time
/// with exit code 1. Both name the line.
final class RealPlayer {
  /// How long an expectation may take at least, in milliseconds: a real machine is never as fast as virtual time.
  static let patience: Int64 = 5_000
  /// How long an expectation may take at most, whatever the scenario allows, in milliseconds.
  static let longestPatience: Int64 = 180_000
  /// The longest time that a run waits for nothing but time, in milliseconds, unless it is told otherwise.
  static let longestWait: Int64 = 120_000

  /// The longest time that a run looks whether nothing happens, in milliseconds: what comes, comes soon.
  static let longestWatch: Int64 = 3_000
  /// The app that devices run.
  static let app = "NannyAndMe"

  /// A step that was done, or all repetitions of one that went the same way.
  struct Report {
    /// The step's line in the file.
    let line: Int
    /// The step.
    let text: String
    /// How long it took, in milliseconds; all of them together.
    var milliseconds: Int64
    /// What a real run did otherwise than the step says; nil where nothing.
    let note: String?
    /// How many there are, from 1.
    var count = 1
  }

  let stage: RealStage
  let scenario: Scenario
  /// Where counting begins on each device, in its events.
  var marks: [String: Int] = [:]
  /// What the step under way does otherwise than it says.
  var note: String?
  /// To how many milliseconds longer waits are cut; nil refuses those over `longestWait`.
  let cut: Int64?
  private let report: (Report) -> Void
  /// What was done within repetitions that are not over; nil outside of any.
  private var rounds: [Report]?

  /// A player of a scenario on an empty stage; every step is reported when it is done, one that is repeated
  /// when the last repetition is. `cut` says to how many milliseconds waits are cut.
  init(_ scenario: Scenario, on stage: RealStage, cuttingWaitsTo cut: Int64?, report: @escaping (Report) -> Void) {
    self.cut = cut
    self.scenario = scenario
    self.stage = stage
    self.report = report
  }

  /// Plays the whole scenario. Throws where a step cannot be done or an expectation does not hold.
  func play() throws(ExitFailure) {
    if let app = scenario.app, app != Self.app {
      throw .virtualOnly("app \(app): real devices run \(Self.app)")
    }
    for option in scenario.options { try set(option) }
    try refuseWhatOnlyVirtualTimeHas(in: scenario.steps)
    try stage.startServer()
    for device in scenario.devices {
      let actor = try stage.add(device.name, account: device.account)
      guard !device.isOff else { continue }
      try stage.start(actor)
      try stage.settle([actor])
    }
    try play(scenario.steps)
  }

  private func play(_ lines: [ScenarioLine]) throws(ExitFailure) {
    for (index, line) in lines.enumerated() {
      let start = stage.loop.now
      note = nil
      do {
        if case .wait(let span) = line.step, lines.dropFirst(index + 1).first?.step == .countFromHere {
          try settle(within: span)
        } else {
          try play(line.step)
        }
      } catch {
        guard !error.message.hasPrefix("line ") else { throw error }
        throw ExitFailure(
          code: error.code, message: "line \(line.number): \(line.step.text): \(error.message)",
          isVirtualOnly: error.isVirtualOnly)
      }
      let done = Report(line: line.number, text: line.step.text, milliseconds: stage.loop.now - start, note: note)
      if rounds == nil { report(done) } else { rounds?.append(done) }
    }
  }

  /// Plays lines that often and reports each of them once, also where one of them fails.
  private func play(_ lines: [ScenarioLine], times count: Int, every: TimeSpan?) throws(ExitFailure) {
    let isOutermost = rounds == nil
    if isOutermost { rounds = [] }
    defer { if isOutermost { reportRounds() } }
    for round in 1...max(1, count) {
      try play(lines)
      if let every, round < count { try pass(every) }
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

  private func play(_ step: ScenarioStep) throws(ExitFailure) {
    switch step {
    case .wait(let span): try pass(span)
    case .note: return
    case .countFromHere:
      // What is under way was caused before this step, and is not to be counted behind it.
      try stage.rest()
      for device in stage.devices {
        marks[device.name] = device.mark
        device.traffic.countAnew()
      }
    case .repeated(let count, let every, let lines): try play(lines, times: count, every: every)
    case .app(let step): try play(step)
    case .link(let step): try play(step)
    case .push(let step): try play(step)
    case .cloud(let step): try play(step)
    case .zone(let step): try play(step)
    case .life(let step): try play(step)
    case .account(let step): try play(step)
    case .clock(let step): try play(step)
    case .disk, .stopUnlessDeviceIDsDiffer: throw .virtualOnly("no process can do that")
    case .reset(let step): try play(step)
    case .expect(let expectation, let within): try expect(expectation, within: within)
    }
  }

  /// Lets everything come to rest, which is what a wait is for behind which counting begins.
  private func settle(within span: TimeSpan) throws(ExitFailure) {
    let start = stage.now.milliseconds
    guard try stage.calmDown(atMost: min(span.milliseconds, cut ?? Self.longestWait)) else { return }
    let passed = stage.now.milliseconds - start
    if passed < span.milliseconds { note = "all was at rest after \(TimeSpan(milliseconds: passed).text)" }
  }

  /// Lets real time pass.
  func pass(_ span: TimeSpan) throws(ExitFailure) {
    if let cut, span.milliseconds > cut {
      note = "cut to \(TimeSpan(milliseconds: cut).text)"
      return try stage.pass(cut)
    }
    try stage.pass(span.milliseconds)
  }

  private func set(_ option: ScenarioOption) throws(ExitFailure) {
    if try setServer(option) { return }
    let name: String
    let number: Int64
    switch option {
    case .count(.pageLimit, let count): (name, number) = ("pageLimit", Int64(count))
    case .count(.batchLimit, let count): (name, number) = ("batchLimit", Int64(count))
    case .count(.batchBytes, let count): (name, number) = ("batchBytes", Int64(count))
    case .count(.emptyPushTries, let count): (name, number) = ("emptyPushTries", Int64(count))
    case .count(.stormLimit, let count): (name, number) = ("stormLimit", Int64(count))
    case .span(.fallback, let span): (name, number) = ("fallback", span.milliseconds)
    case .span(.emptyPushDelay, let span): (name, number) = ("emptyPushDelay", span.milliseconds)
    case .span(.quiet, let span): (name, number) = ("quiet", span.milliseconds)
    case .span(.requestTimeout, let span): (name, number) = ("requestTimeout", span.milliseconds)
    case .span(.droughtGrace, let span): (name, number) = ("droughtGrace", span.milliseconds)
    case .choice(.atomic, let choice): (name, number) = ("atomic", choice == "on" ? 1 : 0)
    case .choice(.deleteRule, let choice): (name, number) = ("deletePolicy", choice == "policy" ? 1 : 0)
    case .seed, .count, .span, .choice:
      throw .virtualOnly("option \(option.text): a real server or device cannot be set up so")
    }
    stage.tuning.append("\(name)=\(number)")
  }

  /// Sets what an option says about the server; false where it is about devices.
  private func setServer(_ option: ScenarioOption) throws(ExitFailure) -> Bool {
    switch option {
    case .count(.originLeak, let percent): stage.serverTuning.append("--origin-leak=\(percent)")
    case .span(.indexDelay, let span):
      stage.limits.append(JSON.Member("subscriptionIndexDelay", .integer(span.milliseconds)))
    case .choice(.duplicateSubscription, let choice):
      let error: JSON = choice == "reject" ? .string(CloudErrorCode.serverRejectedRequest.rawValue) : .null
      stage.limits.append(JSON.Member("duplicateSubscriptionError", error))
    case .choice(.firstFetchDeletions, let choice):
      stage.limits.append(JSON.Member("firstFetchTombstones", .string(choice == "own" ? "ownCreated" : choice)))
    default: return false
    }
    return true
  }

  /// The devices that a step is for.
  func devices(_ choice: DeviceChoice) throws(ExitFailure) -> [RealDevice] {
    try choice.names(among: stage.devices.map(\.name)).map { (name) throws(ExitFailure) in try stage.device(name) }
  }

  /// The name of the record that is meant.
  func name(of record: RecordReference) throws(ExitFailure) -> String {
    let owner: String
    let kind: String
    let number: Int?
    switch record {
    case .named(let name): return name
    case .last(let device, let word): (owner, kind, number) = (device, word, nil)
    case .nth(let place, let device, let word): (owner, kind, number) = (device, word, place)
    }
    let made = try stage.device(owner).made.filter { $0.kinds.contains(kind) || kind == "record" }
    let index = number.map { $0 - 1 } ?? made.count - 1
    guard made.indices.contains(index) else {
      throw .usage("\(owner) has made \(made.count) of the kind \(kind)")
    }
    return made[index].name
  }
}

extension ExitFailure {
  /// Something that only virtual time has.
  static func virtualOnly(_ reason: String) -> ExitFailure {
    ExitFailure(
      code: 2, message: "\(reason); this can only be had in virtual time, leave --real out", isVirtualOnly: true)
  }
}
