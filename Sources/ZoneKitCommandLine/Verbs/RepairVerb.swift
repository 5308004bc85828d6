import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// `zonekit repair`: rebuilds damaged files of the cloud.
enum RepairVerb {
  static let spec = VerbSpec(
    "repair", "[DIR]", summary: "rebuild damaged files of the cloud from what can be read of them",
    details: """
      DIR is a data directory; without it --data counts. Refused while a server runs. Damaged files are moved to
      DIR/backups. A zone gets a new file with every record that can be read; if others may be missing, devices fetch
      the zone as a whole and offer what they have. A file that belongs to another zone, user or container is moved to
      where it belongs, or to DIR/backups if a file is there. The file of a database gets the list of its zones, and the
      subscriptions and registrations that can be read. Exit code 1 if something is still wrong, for example with the
      file of a device, which only `zonekit erase` and a new launch replace.
      """,
    examples: ["zonekit repair .zonekit"], run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let data = try words.operandDirectory()
    var generator = SystemGenerator()
    let repair = try ExitFailure.from { () throws(StoresError) in
      try DataRepair(of: data, at: SystemClock.wall, using: &generator)
    }
    if words.wantsJSON { printLines(repair) } else { printText(repair) }
    return repair.faults.isEmpty ? 0 : 1
  }

  private static func printText(_ repair: DataRepair) {
    for deed in repair.deeds { Console.print("\(deed.place): \(deed.what)") }
    for fault in repair.faults { Console.print("\(fault.place): still wrong: \(fault.message)") }
    if let backup = repair.backup { Console.print("backup: \(backup)") }
    if repair.deeds.isEmpty, repair.faults.isEmpty { Console.print("nothing is wrong") }
  }

  private static func printLines(_ repair: DataRepair) {
    for deed in repair.deeds {
      let line: JSON = ["event": "repaired", "file": .string(deed.place), "what": .string(deed.what)]
      Console.print(line.text())
    }
    for fault in repair.faults {
      let line: JSON = ["event": "fault", "file": .string(fault.place), "reason": .string(fault.message)]
      Console.print(line.text())
    }
    let line: JSON = [
      "event": "repair", "repaired": .integer(Int64(repair.deeds.count)),
      "faults": .integer(Int64(repair.faults.count)), "backup": repair.backup.map { .string($0) } ?? .null,
    ]
    Console.print(line.text())
  }
}
