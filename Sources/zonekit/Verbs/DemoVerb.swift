import Records
import Service
import Storage

/// `zonekit demo`: the runbook's story on real processes.
enum DemoVerb {
  static let spec = VerbSpec(
    "demo", summary: "a server and two devices as three processes: the two-device story, a timeline and a dump",
    details: "The story plays in a folder of its own, removed afterwards unless --keep. The dump stays in --data.",
    options: [OptionSpec("--keep", help: "leave the story's files and say where they are")],
    examples: ["zonekit demo", "zonekit demo --json --keep"], run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    do throws(StoreError) {
      let folder = try Folder.makeTemporary()
      let held = play(in: folder, words)
      let dump = try writeDump(of: folder, to: DataDirectory(words.dataDirectory))
      if words.has("--keep") {
        Console.complain("files kept in \(folder)")
      } else {
        try Folder.remove(folder)
      }
      finish(held, dump: dump, words)
      return held.converged ? 0 : 1
    } catch {
      throw .unavailable("\(error)")
    }
  }

  private static func play(in folder: String, _ words: Invocation) -> (converged: Bool, latencies: [Double]) {
    let story = DemoStory(data: folder) { step in
      Console.print(words.wantsJSON ? step.json : step.line(isColoured: Console.isColoured))
    }
    return (story.play(), story.latencies)
  }

  private static func writeDump(of folder: String, to data: DataDirectory) throws(StoreError) -> String {
    let dump = DiagnosticsDump.json(of: DataDirectory(folder), version: CommandLineProgram.version)
    let path = "\(data.diagnostics)/demo.json"
    try Folder.make(data.diagnostics)
    try Folder.write(dump.bytes(.pretty) + [UInt8(ascii: "\n")], to: path)
    return path
  }

  private static func finish(_ held: (converged: Bool, latencies: [Double]), dump: String, _ words: Invocation) {
    let latency = held.latencies.min().map { DemoStep.text($0) } ?? "not measured"
    guard words.wantsJSON else {
      Console.print("dump in \(dump)")
      let result = held.converged ? "converged" : "NOT converged"
      Console.print("\(result); from A's save to B's screen \(latency) at best, debounces of 250 ms on both included")
      return
    }
    Console.print(
      JSON.object([
        JSON.Member("event", "demo"), JSON.Member("converged", .bool(held.converged)),
        JSON.Member("saveToScreenMilliseconds", .array(held.latencies.map { .number($0) })),
        JSON.Member("dump", .string(dump)),
      ]).text())
  }
}
