import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator

/// Prints the results of scenarios as they are played.
struct RunReport {
  private let wantsJSON: Bool
  private let isSingle: Bool
  private let clock = ContinuousClock()
  private var last: ContinuousClock.Instant
  private var seconds: [Double] = []
  /// The results so far.
  private(set) var outcomes: [ScenarioOutcome] = []

  init(_ words: Invocation, isSingle: Bool) {
    wantsJSON = words.wantsJSON
    self.isSingle = isSingle
    last = clock.now
  }

  /// 0 if all scenarios passed, 2 if one could not be played, otherwise 1.
  var exitCode: Int32 {
    let isImpossible = outcomes.contains { if case .impossible = $0.end { true } else { false } }
    return isImpossible ? 2 : outcomes.allSatisfy(\.isHeld) ? 0 : 1
  }

  /// The results as JUnit XML.
  var junit: String { JUnitReport(outcomes, seconds: seconds).document }

  /// Prints the result of one scenario.
  mutating func add(_ outcome: ScenarioOutcome, of scenario: Scenario) {
    let took = clock.now - last
    last = clock.now
    seconds.append(Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18)
    outcomes.append(outcome)
    if wantsJSON { return Console.print(Self.json(outcome).text()) }
    if isSingle { return tell(outcome, of: scenario) }
    Console.print("\(outcome.isHeld ? "✓" : "✗") \(outcome.name)  \(Self.summary(outcome))")
    if !outcome.isHeld { Console.print("  \(Self.words(outcome.end))") }
    tellUnused(outcome)
  }

  private func tellUnused(_ outcome: ScenarioOutcome) {
    for fault in outcome.unusedFaults { Console.print("  never struck: \(fault)") }
  }

  /// Prints how many scenarios passed, if there was more than one.
  func conclude() {
    guard !isSingle, !wantsJSON else { return }
    let held = outcomes.count { $0.isHeld }
    Console.print("\(outcomes.count.counted("scenario")), \(held) held, \(outcomes.count - held) failed")
  }

  private func tell(_ outcome: ScenarioOutcome, of scenario: Scenario) {
    Console.print(
      ([scenario.name] + scenario.about + scenario.holds.map { "It must hold: \($0)" }).joined(separator: "\n"))
    let told = outcome.stepSummaries
    let rows = told.map { told in
      let step = told.step
      return ["\(Self.sign(step.result)) \(ScenarioOutcome.moment(step.at))", "\(step.line)", told.text]
    }
    for (line, told) in zip(TextTable(rows).text().split(separator: "\n"), told) {
      Console.print(String(line))
      switch told.step.result {
      case .broken(let seen): for text in seen { Console.print("    seen: \(text)") }
      case .passedOver(let reason): Console.print("    passed over: \(reason)")
      case .done, .kept: break
      }
    }
    tellUnused(outcome)
    if case .impossible = outcome.end { Console.print(Self.words(outcome.end)) }
    Console.print("\(outcome.isHeld ? "held" : "failed"): \(Self.summary(outcome))")
  }

  private static func sign(_ result: PlayedStep.Result) -> String {
    switch result {
    case .done: " "
    case .kept: "✓"
    case .broken: "✗"
    case .passedOver: "-"
    }
  }

  /// The result of a scenario in words.
  static func words(_ end: ScenarioOutcome.End) -> String {
    switch end {
    case .held: "all that had to hold did"
    case .broken(let failure): failure.description
    case .impossible(let error): "cannot be played: \(error)"
    }
  }

  private static func summary(_ outcome: ScenarioOutcome) -> String {
    let kept = outcome.steps.count { $0.result == .kept }
    return
      "\(kept.counted("expectation")) kept, \(outcome.events.counted("event")), \(ScenarioOutcome.moment(outcome.milliseconds)) of virtual "
      + "time, seed \(outcome.seed), digest \(outcome.digest)"
  }

  private static func json(_ outcome: ScenarioOutcome) -> JSON {
    var members = [JSON.Member("name", .string(outcome.name)), JSON.Member("held", .bool(outcome.isHeld))]
    switch outcome.end {
    case .held: break
    case .broken(let failure):
      members += [
        JSON.Member("line", .integer(Int64(failure.line))), JSON.Member("expected", .string(failure.expected)),
        JSON.Member("seen", .array(failure.seen.map { .string($0) })),
      ]
      // The violated invariant of the simulator. An expectation of the scenario has none.
      if let violation = outcome.violations.first { members.append(JSON.Member("broken", violation.json)) }
    case .impossible(let error):
      members += [JSON.Member("line", .integer(Int64(error.line))), JSON.Member("error", .string(error.description))]
    }
    return .object(
      members + [
        JSON.Member("seed", .integer(Int64(clamping: outcome.seed))), JSON.Member("digest", .string(outcome.digest)),
        JSON.Member("neverStruck", .array(outcome.unusedFaults.map { .string($0) })),
        JSON.Member("events", .integer(Int64(outcome.events))),
        JSON.Member("milliseconds", .integer(outcome.milliseconds)),
        JSON.Member("steps", .integer(Int64(outcome.steps.count))),
      ])
  }
}
