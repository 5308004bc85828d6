import Glibc
import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator

/// `zonekit simulate`: simulates random users and faults.
enum SimulateVerb {
  static let spec = VerbSpec(
    "simulate", summary: "simulate random users and faults from seeds, and check invariants",
    details: """
      Every seed draws an app, devices, edits and faults, and simulates them in virtual time with the machines of the real
      service. After the faults end, it checks that devices and cloud agree, no edit is lost, further edits arrive by pushes
      alone, and no more requests are sent. The same program and seed give the same result and digest in every process.
      A failing story is shortened and written as a timeline and as a scenario, with which `zonekit run FILE` reproduces the
      failure: diagnostics/seed-N.svg and seed-N.scenario in the data directory.
      A terminal shows the progress. SIGINT and SIGTERM end the run after the present seed, with what was found so far.
      Exit code 0: no invariant was violated; 1: one was. SIGINT and SIGTERM end it after the present seed.
      The kinds of faults are
      \(troubleNames).
      """,
    options: [
      OptionSpec("--seeds", "A..B", help: "the seeds, or one seed (default 1..1000)"),
      OptionSpec(
        "--app", "NAME", help: "use only that app: \(AppTable.names) (default: \(drawnNames))", kind: .name(.apps)),
      DocumentsOption.deviceSpec,
      TablesOption.deviceSpec,
      OptionSpec("--mixed", help: "let devices of other apps use the same cloud"),
      OptionSpec("--devices", "N", help: "the number of devices, 1 to 50 (default 3)"),
      OptionSpec("--minutes", "M", help: "virtual minutes with faults, 1 to 1440 (default 10)"),
      OptionSpec("--jobs", "J", help: "the number of worker processes (default 1)"),
      OptionSpec("--failures", "N", help: "stop after that many failures (default 1)"),
      OptionSpec("--worker", "J/N", help: "act as one of several workers: simulate every N-th seed from the J-th on"),
      OptionSpec(
        "--troubles", "A,B", help: "only these kinds of faults; `none` for no faults (default all)",
        kind: .word(["none"] + SwarmDraw.Trouble.allCases.map(\.rawValue))),
      OptionSpec("--coverage", help: "print how often users gave each command, and in which states of the device"),
      OptionSpec("--shrink", help: "shorten the story of a single failing seed, and print its trace"),
      OptionSpec("--trace", help: "print the trace of a single seed"),
      OptionSpec("--html", help: "write the timeline of a failing story as a page with a search, not as .svg"),
    ],
    examples: [
      "zonekit simulate --seeds 1..10000 --jobs 2", "zonekit simulate --seeds 1..500 --troubles kill,powerCut,disk",
      "zonekit simulate --app swiss-coin --mixed", "zonekit simulate --seeds 4711 --trace",
      "zonekit simulate --app documents --documents reading-list.json --seeds 1..100",
    ],
    run: run)

  /// The names of the apps of which each seed draws one.
  private static var drawnNames: String { AppTable.drawn.map(\.name).joined(separator: " or ") }

  /// The names of all kinds of faults, wrapped for the help.
  private static var troubleNames: String {
    let names = SwarmDraw.Trouble.allCases.map(\.rawValue)
    return stride(from: 0, to: names.count, by: 12)
      .map { names[$0..<min($0 + 12, names.count)].joined(separator: ", ") }.joined(separator: ",\n")
  }

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    let seeds = try seeds(words.value("--seeds") ?? "1..1000")
    let app = try AppTable.asked(words)
    var swarm = Swarm(apps: app.map { [$0] } ?? AppTable.drawn)
    if words.has("--mixed") { swarm.others = AppTable.all }
    swarm.devices = try words.number("--devices", in: 1...50, default: 3)
    swarm.minutes = Int64(try words.number("--minutes", in: 1...1_440, default: 10))
    if let names = words.value("--troubles") { swarm.troubles = try troubles(names) }
    for option in ["--shrink", "--trace"] where words.has(option) && seeds.lowerBound < seeds.upperBound {
      throw .usage("\(option) is for a single seed, as in --seeds \(seeds.lowerBound)")
    }
    if words.has("--shrink") { return try shrink(seeds.lowerBound, of: swarm, words) }
    if words.has("--trace") { return try trace(swarm.story(seed: seeds.lowerBound), words) }
    return try SeedRun(swarm: swarm, seeds: seeds, words: words).run()
  }

  private static func trace(_ story: Story, _ words: Invocation) throws(ExitFailure) -> Int32 {
    let outcome: ScenarioOutcome
    do throws(PlayingError) {
      outcome = try story.play(keepsEvents: true)
    } catch {
      throw .unavailable("\(error)")
    }
    if words.wantsJSON {
      Console.print(
        JSON.object([
          JSON.Member("seed", .string(String(story.seed))),
          JSON.Member("broken", .array(outcome.violations.map(\.json))),
          JSON.Member("events", .integer(Int64(outcome.events))),
          JSON.Member("virtualMilliseconds", .integer(outcome.milliseconds)),
          JSON.Member("digest", .string(outcome.digest)),
          JSON.Member("trace", .array(outcome.trace.lines.map { .string($0) })),
        ]).text())
    } else {
      for line in outcome.trace.lines { Console.print(line) }
      for violation in outcome.violations { Console.print("broken: \(violation)") }
      Console.print("digest \(outcome.digest)")
    }
    return outcome.violations.isEmpty ? 0 : 1
  }

  private static func shrink(_ seed: UInt64, of swarm: Swarm, _ words: Invocation) throws(ExitFailure) -> Int32 {
    guard let report = try FailureReport(swarm, seed: seed, words) else {
      Console.print(
        words.wantsJSON
          ? JSON.object([JSON.Member("seed", .string(String(seed))), JSON.Member("broken", .array([]))]).text()
          : "seed \(seed) breaks nothing")
      return 0
    }
    if words.wantsJSON {
      guard case .object(let members) = report.json else { return 1 }
      let trace = JSON.Member("trace", .array(report.trace.map { .string($0) }))
      Console.print(JSON.object(members + [trace]).text())
    } else {
      for line in report.trace + report.lines { Console.print(line) }
    }
    return 1
  }

  private static func troubles(_ names: String) throws(ExitFailure) -> Set<SwarmDraw.Trouble> {
    var troubles: Set<SwarmDraw.Trouble> = []
    for name in names.split(separator: ",").map(String.init) where name != "none" {
      guard let trouble = SwarmDraw.Trouble(rawValue: name) else {
        throw .usage(
          "there is no trouble \(name); there are \(SwarmDraw.Trouble.allCases.map(\.rawValue).joined(separator: ", "))"
        )
      }
      troubles.insert(trouble)
    }
    return troubles
  }

  private static func seeds(_ text: String) throws(ExitFailure) -> ClosedRange<UInt64> {
    if let single = UInt64(text) { return single...single }
    let ends = text.split(separator: ".", omittingEmptySubsequences: true).compactMap { UInt64($0) }
    guard text.contains(".."), ends.count == 2, ends[0] <= ends[1] else {
      throw .usage("--seeds takes A..B with A not above B, or a single number, not \(text)")
    }
    return ends[0]...ends[1]
  }
}

extension Invocation {
  /// The options that choose the apps of stories, as words of a command.
  var apps: [String] {
    ["--app", DocumentsOption.spec.name].flatMap { name in value(name).map { [name, $0] } ?? [] }
      + all(TablesOption.deviceSpec.name).flatMap { [TablesOption.deviceSpec.name, $0] }
      + (has("--mixed") ? ["--mixed"] : [])
  }
}
