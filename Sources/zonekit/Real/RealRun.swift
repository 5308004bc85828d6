import Records
import Simulator

/// Plays a scenario on processes and says what comes of it.
enum RealRun {
  /// Plays it in a folder of its own, prints a line for each step, and gives the exit code: 0 where everything held. Throws
  /// where a step cannot be done, or where something could not be started.
  static func run(_ scenario: Scenario, wantsJSON: Bool, keepingFiles: Bool) throws(ExitFailure) -> Int32 {
    let stage = try RealStage()
    defer { stage.end(keepingFiles: keepingFiles) }
    let player = RealPlayer(scenario, on: stage) { report in
      Console.print(wantsJSON ? json(report).text() : text(report))
    }
    let outcome = Result { () throws(ExitFailure) in try player.play() }
    switch outcome {
    case .success: finish(scenario, failure: nil, wantsJSON)
    case .failure(let failure) where failure.code == 1: finish(scenario, failure: failure.message, wantsJSON)
    case .failure(let failure): throw failure
    }
    return if case .success = outcome { 0 } else { 1 }
  }

  private static func text(_ report: RealPlayer.Report) -> String {
    let time = "\(report.milliseconds) ms"
    return String(repeating: " ", count: max(0, 9 - time.count)) + time + "  line \(report.line)  \(report.text)"
      + (report.note.map { " (\($0))" } ?? "")
  }

  private static func json(_ report: RealPlayer.Report) -> JSON {
    [
      "event": "step", "line": .integer(Int64(report.line)), "step": .string(report.text),
      "milliseconds": .integer(report.milliseconds), "note": report.note.map(JSON.string) ?? .null,
    ]
  }

  private static func finish(_ scenario: Scenario, failure: String?, _ wantsJSON: Bool) {
    guard wantsJSON else {
      return Console.print(failure.map { "FAILED  \($0)" } ?? "held: \(scenario.name)")
    }
    let result: JSON = [
      "event": "run", "scenario": .string(scenario.name), "held": .bool(failure == nil),
      "failure": failure.map(JSON.string) ?? .null,
    ]
    Console.print(result.text())
  }
}
