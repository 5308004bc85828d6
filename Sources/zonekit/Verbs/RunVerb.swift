import Simulator

/// `zonekit run`: a scenario.
enum RunVerb {
  static let spec = VerbSpec(
    "run", "FILE.scenario", summary: "play a scenario on a server and devices as processes",
    details: """
      Each device has a link of its own to the server, through which it goes wrong as the scenario says. Exit code 0:
      everything held; 1: an expectation did not; 2: the scenario cannot be read, or not played on processes.
      """,
    options: [
      OptionSpec("--real", help: "on processes and sockets, in real time"),
      OptionSpec("--keep", help: "leave the run's files and say where they are"),
    ],
    examples: ["zonekit run lost-push.scenario --real"], run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let path = try words.operands("FILE.scenario")[0]
    let bytes = try InputFile.read(path)
    let scenario: Scenario
    do {
      scenario = try Scenario(parsing: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw .usage("\(path): \(error)")
    }
    guard words.has("--real") else { throw .usage("run plays on processes only; add --real") }
    return try RealRun.run(scenario, wantsJSON: words.wantsJSON, keepingFiles: words.has("--keep"))
  }
}
