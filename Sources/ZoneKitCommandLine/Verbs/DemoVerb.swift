import ZoneKitProcesses
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// `zonekit demo`: a server and two devices as real processes, checked step by step.
enum DemoVerb {
  static let spec = VerbSpec(
    "demo", "[APP]", summary: "run a server and devices as processes and check how they synchronize",
    details: "The story plays in a folder of its own, removed afterwards unless --keep. The dump stays in --data.",
    options: [
      OptionSpec("--app", "NAME", help: "whose story: \(names) (default: \(DemoScript.nannyAndMe.rawValue))"),
      OptionSpec("--keep", help: "keep the files of the run and print their path"),
    ],
    examples: ["zonekit demo", "zonekit demo swiss-coin", "zonekit demo --json --keep"], run: run)

  private static var names: String { DemoScript.allCases.map(\.rawValue).joined(separator: ", ") }

  /// The story that the command line names.
  private static func script(_ words: Invocation) throws(ExitFailure) -> DemoScript {
    let named = [words.value("--app")].compactMap { $0 } + words.operands
    guard named.count <= 1 else { throw .usage("\(named[1]) is one word too many") }
    guard let name = named.first else { return .nannyAndMe }
    guard let script = DemoScript(app: name) else { throw .usage("there is no story of \(name); there are \(names)") }
    return script
  }

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let script = try script(words)
    do {
      let folder = try Folder.makeTemporary()
      var dump: Result<String, any Error>?
      let story = try DemoStory(script, data: folder) { step in
        Console.print(words.wantsJSON ? step.json : step.line(isColoured: Console.isColoured))
      } beforeEnd: {
        dump = Result { try writeDump(of: folder, to: DataDirectory(words.dataDirectory)) }
      }
      let converged = story.play()
      if words.has("--keep") {
        Console.complain("files kept in \(folder)")
      } else {
        try Folder.remove(folder)
      }
      finish(script, converged, story.latencies, dump: try dump?.get() ?? "", words)
      return converged ? 0 : 1
    } catch {
      throw .unavailable("\(error)")
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
    _ script: DemoScript, _ converged: Bool, _ latencies: [Double], dump: String, _ words: Invocation
  ) {
    let latency = latencies.min().map { DemoStep.text($0) } ?? "not measured"
    guard words.wantsJSON else {
      Console.print("dump in \(dump)")
      let result = converged ? "converged" : "NOT converged"
      Console.print("\(result); from A's save to B's screen \(latency) at best, \(script.pauses) included")
      return
    }
    Console.print(
      JSON.object([
        JSON.Member("event", "demo"), JSON.Member("converged", .bool(converged)),
        JSON.Member("saveToScreenMilliseconds", .array(latencies.map { .number($0) })),
        JSON.Member("dump", .string(dump)),
      ]).text())
  }
}
