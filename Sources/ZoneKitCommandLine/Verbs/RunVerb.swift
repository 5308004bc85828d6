import ZoneKitTimeline
import ZoneKitScenarios
import ZoneKitProcesses
import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator
import ZoneKitStorage

/// `zonekit run`: plays scenarios, in virtual time or on processes.
enum RunVerb {
  static let spec = VerbSpec(
    "run", "SCENARIO...",
    summary: "play scenarios and check their expectations: a file, a folder, or a catalogue name",
    details: """
      A scenario is played up to the first expectation that fails. The same scenario and seed give the same result and the
      same digest every time. `zonekit scenarios` lists the catalogue. With --processes it is played on a server and devices
      as processes, with faults on their links; a step that only virtual time supports is refused with its line. There a
      wait before `count from here` ends when all processes are idle.
      A name that only variants have, such as zone-gone, plays all variants.
      A sweep plays the scenario once for each step of a process, kills the process there, and reports the failures.
      SIGINT and SIGTERM end a run of several scenarios after the present one.
      Exit code 0: all expectations held; 1: one failed; 2: a scenario cannot be read or played.
      With --processes all scenarios are played: 1 if an expectation failed, otherwise 2 if a scenario was refused.
      """,
    options: [
      OptionSpec("--processes", help: "on processes and sockets, in real time"),
      OptionSpec("--real", help: "the same as --processes"),
      OptionSpec("--keep", help: "with --processes: keep the files of the run and print their path"),
      OptionSpec(
        "--cut-waits", "TIME", help: "with --processes: cut longer waits of a scenario to this, such as 10s"),
      OptionSpec("--seed", "N", help: "the seed of random decisions (default: the scenario's, otherwise 1)"),
      OptionSpec("--junit", "FILE", help: "write the results as JUnit XML, for CI systems"),
      OptionSpec("--timeline", "FILE", help: "draw the timeline of one scenario; FILE ends in .svg, or .txt for text"),
      OptionSpec("--html", "FILE", help: "write the timeline of one scenario as a page with a search, in one file"),
      OptionSpec("--trace", help: "print the trace of a single scenario"),
      OptionSpec(
        "--sweep", "PLACE", help: "kill a device or the cloud at each of its steps in turn; A@12 only at A's 12th"),
    ],
    examples: [
      "zonekit run dropped-push", "zonekit run zone-gone", "zonekit run Diagnostics/Scenarios --junit results.xml",
      "zonekit run lost-ack --sweep A", "zonekit run offline-both-edit-same-field-a-first --processes",
      "zonekit run my.scenario --seed 7 --timeline my.svg", "zonekit run dropped-push --html story.html",
    ],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    var scenarios: [Scenario] = []
    for word in words.operands { scenarios += try ScenarioCatalogue.scenarios(word) }
    guard let first = scenarios.first else { throw .usage("SCENARIO is missing") }
    if words.has("--processes") || words.has("--real") { return try playOnProcesses(scenarios, words) }
    if words.has("--keep") { throw .usage("--keep is for --processes: virtual time leaves no files") }
    if words.has("--cut-waits") { throw .usage("--cut-waits is for --processes: virtual time costs nothing") }
    var settings = ScenarioPlayer.Settings()
    settings.seed = try seed(words)
    settings.timeZones = { (name) throws(TimeZoneError) in try SystemTimeZones.rules(name) }
    settings.keepsEvents = ["--timeline", "--html", "--trace"].contains { words.has($0) }
    if scenarios.count > 1, settings.keepsEvents {
      throw .usage("--timeline, --html and --trace are for a single scenario")
    }
    if let path = words.value("--timeline"), !path.hasSuffix(".svg"), !path.hasSuffix(".txt") {
      throw .usage("--timeline takes a file that ends in .svg or .txt, not \(path)")
    }
    if let word = words.value("--sweep") {
      let parts = word.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
      let place: Place = parts[0] == "cloud" ? .cloud : .device(parts[0])
      guard parts.count == 2 else {
        for option in ["--junit", "--timeline", "--html", "--trace"] where words.has(option) {
          throw .usage("\(option) is for one crash, as in --sweep \(word)@12, or for none")
        }
        return try sweep(scenarios, over: place, settings, words)
      }
      guard let step = Int(parts[1]), step > 0 else {
        throw .usage("--sweep takes a device, cloud, or A@12, not \(word)")
      }
      settings.crash = (place, step)
    }
    var report = RunReport(words, isSingle: scenarios.count == 1)
    let signal = try play(scenarios, settings, into: &report)
    if let path = words.value("--junit") { try write(report.junit, to: path) }
    if let outcome = report.outcomes.first, scenarios.count == 1 { try show(outcome, of: first, words) }
    report.conclude()
    guard let signal else { return report.exitCode }
    throw .interrupted(
      by: signal, "interrupted after \(report.outcomes.count) of \(scenarios.count.counted("scenario"))")
  }

  /// Plays scenarios in virtual time until a signal asks this process to end, which is returned.
  private static func play(
    _ scenarios: [Scenario], _ settings: ScenarioPlayer.Settings, into report: inout RunReport
  ) throws(ExitFailure) -> Int32? {
    try EndingSignals.held { () throws(ExitFailure) in
      var progress = ProgressLine("scenarios", of: scenarios.count)
      defer { progress.clear() }
      for scenario in scenarios {
        if let signal = EndingSignals.pending { return signal }
        progress.show(report.outcomes.count)
        let outcome = try play(scenario, settings)
        progress.clear()
        report.add(outcome, of: scenario)
      }
      return nil
    }
  }

  /// Plays scenarios on processes, one after another.
  private static func playOnProcesses(_ scenarios: [Scenario], _ words: Invocation) throws(ExitFailure) -> Int32 {
    for option in ["--seed", "--timeline", "--html", "--trace", "--sweep"] where words.has(option) {
      throw .usage("\(option) is for virtual time; leave it or --processes out")
    }
    var run = try ProcessRun(words, isSingle: scenarios.count == 1)
    for scenario in scenarios { try run.play(scenario) }
    if let path = words.value("--junit") { try write(run.junit, to: path) }
    return try run.conclude()
  }

  /// Plays one scenario in virtual time.
  private static func play(
    _ scenario: Scenario, _ settings: ScenarioPlayer.Settings
  ) throws(ExitFailure) -> ScenarioOutcome {
    let apps = try AppTable.apps(of: scenario)
    do throws(PlayingError) {
      var player = try ScenarioPlayer(scenario, apps: apps, settings: settings)
      return player.play()
    } catch {
      throw .input("\(scenario.name): \(error)")
    }
  }

  private static func show(_ outcome: ScenarioOutcome, of scenario: Scenario, _ words: Invocation) throws(ExitFailure) {
    if words.has("--trace") { for line in outcome.trace.lines { Console.print(line) } }
    let timeline = Timeline(outcome.trace, title: scenario.name)
    if let path = words.value("--html") { try write(timeline.html, to: path) }
    guard let path = words.value("--timeline") else { return }
    try write(path.hasSuffix(".txt") ? timeline.text : timeline.svg, to: path)
  }

  private static func seed(_ words: Invocation) throws(ExitFailure) -> UInt64? {
    guard let text = words.value("--seed") else { return nil }
    guard let seed = UInt64(text) else { throw .usage("--seed takes a whole number from 0, not \(text)") }
    return seed
  }

  private static func write(_ text: String, to path: String) throws(ExitFailure) {
    do throws(StoreError) {
      try Folder.write(Array(text.utf8), to: path)
    } catch {
      throw .unavailable("\(path): \(error.message)")
    }
  }

  // MARK: Sweeps

  private static func sweep(
    _ scenarios: [Scenario], over place: Place, _ settings: ScenarioPlayer.Settings, _ words: Invocation
  ) throws(ExitFailure) -> Int32 {
    var failures = 0
    for scenario in scenarios {
      let apps = try AppTable.apps(of: scenario)
      do throws(PlayingError) {
        let outcome = try ScenarioSweep(scenario, over: place, apps: apps, settings: settings).run()
        failures += outcome.failures.count
        tell(outcome, of: scenario, words)
      } catch {
        throw .input("\(scenario.name): \(error)")
      }
    }
    return failures == 0 ? 0 : 1
  }

  private static func tell(_ outcome: ScenarioSweep.Outcome, of scenario: Scenario, _ words: Invocation) {
    let digest = String(outcome.digest, radix: 16)
    if words.wantsJSON {
      return Console.print(
        JSON.object([
          JSON.Member("name", .string(scenario.name)), JSON.Member("sweep", .string(outcome.place.text)),
          JSON.Member("points", .integer(Int64(outcome.points))),
          JSON.Member("failed", .array(outcome.failures.map { .integer(Int64($0.step)) })),
          JSON.Member("digest", .string(digest)),
        ]).text())
    }
    for (step, played) in outcome.failures {
      Console.print(
        "✗ \(scenario.name), \(outcome.place.text) dies before its step \(step): \(RunReport.words(played.end))")
    }
    Console.print(
      "\(outcome.failures.isEmpty ? "✓" : "✗") \(scenario.name): \(outcome.points) crashes of \(outcome.place.text) tried, "
        + "\(outcome.failures.count) failed, digest \(digest)")
  }
}
