import ZoneKitDeviceHost
import ZoneKitProcesses
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService
import ZoneKitStorage

/// `zonekit demo`: a server and two devices as real processes, checked step by step.
enum DemoVerb {
  static let spec = VerbSpec(
    "demo", "[APP]", meanings: ["APP": .word(names)],
    summary: "run a server and devices as processes and check how they synchronize",
    details: "The story plays in a folder of its own, removed afterwards unless --keep. The dump stays in --data.",
    options: [
      OptionSpec(
        "--app", "NAME", help: "whose story: \(names.joined(separator: ", ")) (default: \(names[0]))",
        kind: .word(names)),
      OptionSpec("--keep", help: "keep the files of the run and print their path"),
    ],
    examples: ["zonekit demo", "zonekit demo swiss-coin", "zonekit demo --json --keep"], run: run)

  /// The apps that have a demo.
  private static let names = ["NannyAndMe", "SwissCoin", "DietLog"]

  /// The demo that the command line names. Case and hyphens of the name do not matter.
  private static func scenario(_ words: Invocation) throws(ExitFailure) -> Scenario {
    let named = [words.value("--app")].compactMap { $0 } + words.operands
    guard named.count <= 1 else { throw .usage("\(named[1]) is one word too many") }
    let plain = { (text: String) in text.lowercased().filter { $0 != "-" } }
    let wanted = named.first ?? names[0]
    guard let name = names.first(where: { plain($0) == plain(wanted) }) else {
      throw .usage("there is no story of \(wanted); there are \(names.joined(separator: ", "))")
    }
    return try ScenarioCatalogue().demo(of: name)
  }

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let scenario = try scenario(words)
    let app = try AppTable.app(named: scenario.app ?? "")
    var demo = DemoRun(wantsJSON: words.wantsJSON)
    do throws(ProcessFailure) {
      let player = try ProcessPlayer(scenario, app: app, apps: AppTable.all, cuttingWaitsTo: nil) { demo.add($0) }
      var failure: ProcessFailure?
      do throws(ProcessFailure) { try player.play() } catch { failure = error }
      demo.end(failure)
      let dump = Result { try writeDump(of: player.folder, to: DataDirectory(words.dataDirectory)) }
      if let (folder, error) = player.end(keepingFiles: words.has("--keep")) {
        Console.complain(error.map { "the folder of the run stays: \($0)" } ?? "files kept in \(folder)")
      }
      if let failure, case .interrupted = failure.kind { throw failure }
      finish(failure == nil, demo.latencies, dump: (try? dump.get()) ?? "", app, words)
      return failure == nil ? 0 : 1
    } catch {
      throw ExitFailure(error)
    }
  }

  private static func writeDump(of folder: String, to data: DataDirectory) throws -> String {
    let dump = try DiagnosticsDump(
      of: DataDirectory(folder), apps: AppTable.all, version: CommandLineProgram.version, at: SystemClock.wall
    ).document
    let path = "\(data.diagnostics)/demo.json"
    try Folder.make(data.diagnostics)
    try Folder.write(dump.bytes(.pretty) + [UInt8(ascii: "\n")], to: path)
    return path
  }

  private static func finish(
    _ converged: Bool, _ latencies: [Double], dump: String, _ app: DeviceApp, _ words: Invocation
  ) {
    let latency = latencies.min().map { DemoRun.text($0) } ?? "not measured"
    // What a time from one screen to another includes.
    let pause = app.hasTables ? "A's pause of 100 ms" : "B's debounce of 250 ms"
    guard words.wantsJSON else {
      Console.print("dump in \(dump)")
      let result = converged ? "converged" : "NOT converged"
      Console.print("\(result); from A's save to B's screen \(latency) at best, \(pause) included")
      return
    }
    let end: JSON = [
      "event": "demo", "converged": .bool(converged),
      "saveToScreenMilliseconds": .array(latencies.map { .number($0) }), "dump": .string(dump),
    ]
    Console.print(end.text())
  }
}
