import ZoneKitRecords
import ZoneKitService

/// `zonekit erase`: removes one device completely.
enum EraseVerb {
  static let spec = VerbSpec(
    "erase", "DEVICE", summary: "erase a device completely, with its tokens and its device ID",
    details: """
      Like `xcrun simctl erase`: the next device of that name is a new one. The records of the cloud are unchanged, and its
      push service sends nothing to the device's token any more. Edits that the device has not sent are lost. Refused
      while the device is running. `reset local` keeps the device ID.
      """,
    options: [
      OptionSpec("--yes", help: "confirm the erasure, which is asked for on a terminal"),
      OptionSpec("--dry-run", help: "only print what would be removed"),
      OptionSpec("--backup", help: "first copy the device to DIR/backups"),
    ],
    examples: ["zonekit erase A --dry-run", "zonekit erase A --backup --yes"],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let name = try words.operands("DEVICE")[0]
    let data = DataDirectory(words.dataDirectory)
    let (erasure, plan) = try ExitFailure.from { () throws(StoresError) in
      let erasure = try DeviceErasure(of: name, in: data)
      return (erasure, try erasure.plan())
    }
    let isDryRun = words.has("--dry-run")
    var backup: String?
    if !isDryRun {
      try words.confirm("erase \(name) takes away \(content(plan))")
      let registration = DeviceRegistration(ofDevice: name, in: data, apps: AppTable.apps(in: data))
      backup = try ExitFailure.from { () throws(StoresError) in
        try erasure.perform(backingUp: words.has("--backup"), at: SystemClock.wall)
      }
      end(registration, of: name)
    }
    Console.print(
      words.wantsJSON ? json(plan, isDryRun: isDryRun, backup: backup).text() : text(plan, isDryRun, backup))
    return 0
  }

  /// Ends the push token of an erased device. The device is gone also if that fails.
  private static func end(_ registration: DeviceRegistration?, of name: String) {
    do throws(StoresError) {
      try registration?.end()
    } catch {
      Console.complain("the push service still has the token of \(name): \(error)")
    }
  }

  private static func text(_ plan: ErasurePlan, _ isDryRun: Bool, _ backup: String?) -> String {
    let verb = isDryRun ? "would erase" : "erased"
    return "\(verb) device \(plan.device): \(content(plan))" + (backup.map { "\nbackup: \($0)" } ?? "")
  }

  private static func content(_ plan: ErasurePlan) -> String {
    let files = "\(plan.files.counted("file")), \(plan.bytes) bytes"
    guard let store = plan.store else { return "\(files); its store cannot be read" }
    let records = store.records.counted("record")
    return "\(records), \(store.unsent.counted("edit")) not sent, \(files)"
  }

  private static func json(_ plan: ErasurePlan, isDryRun: Bool, backup: String?) -> JSON {
    [
      "event": "erase", "device": .string(plan.device), "dryRun": .bool(isDryRun), "files": .integer(Int64(plan.files)),
      "bytes": .integer(plan.bytes), "records": plan.store.map { .integer(Int64($0.records)) } ?? .null,
      "pending": plan.store.map { .integer(Int64($0.unsent)) } ?? .null,
      "backup": backup.map { .string($0) } ?? .null,
    ]
  }
}
