import ZoneKitRecords
import ZoneKitService

/// `zonekit doctor`: what is wrong here, and what to do.
enum DoctorVerb {
  static let spec = VerbSpec(
    "doctor", "[DIR]", summary: "find out what is wrong here, and say what to do",
    details: """
      DIR is a data directory; without it --data counts. It looks whether a server of the folder is running and answers,
      whether the addresses are free, whether the disk keeps what fdatasync gives it and has room, whether another version
      wrote files, and which devices there are. Nothing is changed. Exit code 1: there is a problem. `zonekit check` verifies
      what is in the files.
      """,
    options: [
      OptionSpec("--http", "ADDR", help: "the address for requests to look at (default \(ServeVerb.usualHTTP))"),
      OptionSpec("--push", "ADDR", help: "the address of the push socket to look at (default \(ServeVerb.usualPush))"),
    ],
    examples: ["zonekit doctor", "zonekit doctor /tmp/world --json"], run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let data = try words.operandDirectory()
    let doctor = Doctor(
      of: data, http: try ServeVerb.address(words.value("--http") ?? ServeVerb.usualHTTP, of: "--http"),
      push: try ServeVerb.address(words.value("--push") ?? ServeVerb.usualPush, of: "--push"),
      unmarkedApp: AppTable.standard.name)
    let problems = doctor.findings.count { $0.state == .problem }
    if words.wantsJSON {
      for finding in doctor.findings { Console.print(json(finding).text()) }
      Console.print((["event": "doctor", "problems": .integer(Int64(problems))] as JSON).text())
    } else {
      let rows = doctor.findings.flatMap { finding in
        [[finding.state.rawValue, finding.subject, finding.text]]
          + (finding.remedy.map { [["", "", "-> \($0)"]] } ?? [])
      }
      Console.print(TextTable(rows).text(within: Console.columns))
      Console.print(problems == 0 ? "no problem found" : problems.counted("problem"))
    }
    return problems == 0 ? 0 : 1
  }

  private static func json(_ finding: Finding) -> JSON {
    [
      "event": "finding", "state": .string(finding.state.rawValue), "subject": .string(finding.subject),
      "text": .string(finding.text), "remedy": finding.remedy.map { .string($0) } ?? .null,
    ]
  }
}
