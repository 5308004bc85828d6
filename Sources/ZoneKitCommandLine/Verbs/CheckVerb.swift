import ZoneKitRecords
import ZoneKitService

/// `zonekit check`: verifies all files of a data directory.
enum CheckVerb {
  static let spec = VerbSpec(
    "check", "[DIR]", summary: "verify all files of cloud and devices",
    details: """
      DIR is a data directory; without it --data counts. Processes may be running. Each file is checked by SQLite, each
      zone by the rules of its feed, and each list of zones against the zone files. Exit code 1 if anything is wrong;
      `zonekit repair` then rebuilds what can be derived.
      """,
    examples: ["zonekit check .zonekit"], run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let data = try words.operandDirectory()
    let check = try ExitFailure.from { () throws(StoresError) in try DataCheck(of: data) }
    for fault in check.faults {
      let line: JSON = ["event": "fault", "file": .string(fault.place), "reason": .string(fault.message)]
      Console.print(words.wantsJSON ? line.text() : "\(fault.place): \(fault.message)")
    }
    Console.print(words.wantsJSON ? json(check).text() : text(check))
    return check.faults.isEmpty ? 0 : 1
  }

  private static func text(_ check: DataCheck) -> String {
    let content = [
      check.databases.counted("database"), check.zones.counted("zone"), check.rows.counted("record"),
      check.devices.counted("device"),
    ].joined(separator: ", ")
    let finding = check.faults.isEmpty ? "nothing is wrong" : check.faults.count.counted("fault")
    guard check.leftovers.files > 0 else { return "checked \(content): \(finding)" }
    let leftovers = "\(check.leftovers.files.counted("file")) of \(Int(check.leftovers.bytes).counted("byte"))"
    let rest = check.leftovers.files == 1 ? "belongs to no object" : "belong to no object"
    return "checked \(content): \(finding)\n\(leftovers) \(rest); the next start of the server removes them"
  }

  private static func json(_ check: DataCheck) -> JSON {
    [
      "event": "check", "databases": .integer(Int64(check.databases)), "zones": .integer(Int64(check.zones)),
      "records": .integer(Int64(check.rows)), "devices": .integer(Int64(check.devices)),
      "faults": .integer(Int64(check.faults.count)), "leftovers": .integer(Int64(check.leftovers.files)),
      "leftoverBytes": .integer(check.leftovers.bytes),
    ]
  }
}

extension Invocation {
  /// The data directory that the only operand names; that of `--data` without an operand.
  func operandDirectory() throws(ExitFailure) -> DataDirectory {
    guard !operands.isEmpty else { return DataDirectory(dataDirectory) }
    guard !has("--data") else { throw .usage("give the data directory either as DIR or with --data") }
    return DataDirectory(try operands("DIR")[0])
  }
}
