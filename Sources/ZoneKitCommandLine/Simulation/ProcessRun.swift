import ZoneKitDeviceHost
import ZoneKitProcesses
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitSimulator

/// Plays scenarios on processes one after another, and prints the result of each.
struct ProcessRun {
  private let wantsJSON: Bool
  private let keepsFiles: Bool
  private let cut: Int64?
  private let isSingle: Bool
  private let clock = ContinuousClock()
  /// The results so far.
  private var cases: [JUnitReport.Case] = []
  /// The first failure of each exit code.
  private var failures: [Int32: ExitFailure] = [:]

  /// A run. If there is only one scenario, each of its steps is printed.
  init(_ words: Invocation, isSingle: Bool) throws(ExitFailure) {
    wantsJSON = words.wantsJSON
    keepsFiles = words.has("--keep")
    cut = try words.value("--cut-waits").map { (text) throws(ExitFailure) in
      guard let span = TimeSpan(text) else {
        throw .usage("--cut-waits takes a time such as 500ms or 10s, not \(text)")
      }
      return span.milliseconds
    }
    self.isSingle = isSingle
  }

  /// The results as JUnit XML.
  var junit: String { JUnitReport(cases).document }

  /// Plays a scenario in its own folder and prints the result. Throws if the run was interrupted.
  mutating func play(_ scenario: Scenario) throws(ExitFailure) {
    let start = clock.now
    var failure: ProcessFailure?
    let apps = try AppTable.apps(of: scenario)
    do throws(ProcessFailure) {
      try playSteps(of: scenario, apps)
    } catch {
      if case .interrupted = error.kind { throw ExitFailure(error) }
      failure = error
    }
    let took = (clock.now - start).components
    let seconds = Double(took.seconds) + Double(took.attoseconds) / 1e18
    let result = failure.map(Self.result) ?? .held
    cases.append(JUnitReport.Case(scenario.name, result, seconds: seconds))
    if let exit = failure.map({ ExitFailure($0) }), failures[exit.code] == nil { failures[exit.code] = exit }
    tell(scenario, failure, seconds: seconds)
  }

  private func playSteps(of scenario: Scenario, _ apps: [DeviceApp]) throws(ProcessFailure) {
    let app = scenario.app.flatMap { name in apps.first { $0.isNamed(name) } } ?? AppTable.standard
    let player = try ProcessPlayer(scenario, app: app, apps: apps, cuttingWaitsTo: cut) {
      [wantsJSON, isSingle] report in
      if wantsJSON { return Console.print(Self.json(report, of: scenario).text()) }
      if isSingle { Console.print(Self.text(report)) }
    }
    defer {
      if let (folder, error) = player.end(keepingFiles: keepsFiles) {
        Console.complain(error.map { "the folder of the run stays: \($0)" } ?? "files kept in \(folder)")
      }
    }
    try player.play()
  }

  /// Ends the run: prints how many scenarios passed, and returns the exit code: 0 if all passed, 1 if an expectation
  /// failed, otherwise 2 or 3. Throws the failure of a single scenario that could not be played.
  func conclude() throws(ExitFailure) -> Int32 {
    guard isSingle else {
      tellSum()
      return failures.keys.min() ?? 0
    }
    if let failure = failures.values.first, failure.code != 1 { throw failure }
    return failures.keys.min() ?? 0
  }

  private static func result(of failure: ProcessFailure) -> JUnitReport.Case.Result {
    switch failure.kind {
    case .virtualOnly: .skipped(failure.description)
    case .broken: .failed(failure.description, details: failure.description)
    case .refused, .unavailable, .interrupted: .impossible(failure.description)
    }
  }

  // MARK: Words

  private func tell(_ scenario: Scenario, _ failure: ProcessFailure?, seconds: Double) {
    let isRefused = failure?.kind == .virtualOnly
    if wantsJSON {
      let result: JSON = [
        "event": "run", "scenario": .string(scenario.name), "held": .bool(failure == nil),
        "refused": .bool(isRefused), "failure": failure.map { .string($0.description) } ?? .null,
        "milliseconds": .integer(Int64(seconds * 1000)),
      ]
      return Console.print(result.text())
    }
    guard isSingle else {
      let sign = failure == nil ? "✓" : isRefused ? "-" : "✗"
      let tenths = Int((seconds * 10).rounded())
      Console.print("\(sign) \(scenario.name)  \(tenths / 10).\(tenths % 10) s")
      if let failure { Console.print("  \(failure)") }
      return
    }
    guard let failure else { return Console.print("held: \(scenario.name)") }
    if failure.kind == .broken { Console.print("FAILED  \(failure)") }
  }

  private func tellSum() {
    guard !wantsJSON else { return }
    let held = cases.count { $0.result == .held }
    let refused = cases.count { if case .skipped = $0.result { true } else { false } }
    Console.print(
      "\(cases.count.counted("scenario")), \(held) held, \(cases.count - held - refused) failed, "
        + "\(refused) only in virtual time")
  }

  private static func text(_ report: ProcessPlayer.Report) -> String {
    let time = "\(report.milliseconds) ms"
    let notes = [report.count > 1 ? "\(report.count) times" : nil, report.note].compactMap { $0 }
    return String(repeating: " ", count: max(0, 9 - time.count)) + time + "  line \(report.line)  \(report.step.text)"
      + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
  }

  private static func json(_ report: ProcessPlayer.Report, of scenario: Scenario) -> JSON {
    [
      "event": "step", "scenario": .string(scenario.name), "line": .integer(Int64(report.line)),
      "step": .string(report.step.text), "milliseconds": .integer(report.milliseconds),
      "note": report.note.map(JSON.string) ?? .null, "count": .integer(Int64(report.count)),
    ]
  }
}
