import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitSync

/// `zonekit import`: a share file into a device.
enum ImportVerb {
  static let spec = VerbSpec(
    "import", "FILE", summary: "merge a share file into a device (- reads standard input)",
    details: """
      Records are merged by ID with the app's conflict rule, all or nothing where the file is malformed. The device must
      not be running; what is new is sent when it runs next. Importing the same file again changes nothing.
      """,
    options: [
      OptionSpec("--device", "NAME", help: "the device; it is made where there is none"),
      OptionSpec("--user", "USER", help: "the account of a new device (default nanny)"),
    ],
    examples: ["zonekit import mia.json --device A"], run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let path = try words.operands("FILE")[0]
    guard let name = words.value("--device") else { throw .usage("--device is missing: into which device?") }
    let bytes = try InputFile.read(path)
    // A file that cannot be read must not leave a device behind.
    do {
      _ = try ShareFile(parsing: bytes)
    } catch {
      throw .usage("\(path): \(error)")
    }
    let report = try merge(bytes, from: path, into: name, words)
    if words.wantsJSON {
      Console.print(json(report).text())
    } else {
      for line in report.lines { Console.print(line) }
    }
    return 0
  }

  private static func merge(
    _ bytes: [UInt8], from path: String, into name: String, _ words: Invocation
  ) throws(ExitFailure) -> ImportReport {
    do {
      let device = try StoppedDevice(
        name, in: DataDirectory(words.dataDirectory), user: words.value("--user").map { Name($0) },
        configuration: try DeviceVerb.configuration(words))
      let store = device.coordinator.store
      let app = try NannyApp(user: device.coordinator.account ?? DeviceOptions.defaultUser, rebuiltFrom: store)
      let merge = try ShareImport(bytes, into: app, now: SystemClock.wall, clock: StampClock())
      try device.edit(merge.edits)
      return merge.report
    } catch let error as ExitFailure {
      throw error
    } catch let error as ShareFileError {
      throw .usage("\(path): \(error)")
    } catch {
      throw .unavailable("\(error)")
    }
  }

  private static func json(_ report: ImportReport) -> JSON {
    [
      "event": "imported", "added": .integer(Int64(report.added.count)),
      "updated": .integer(Int64(report.updated.count)), "unchanged": .integer(Int64(report.unchanged.count)),
      "refused": notes(report.refused), "keptOut": notes(report.keptOut),
      "ended": .integer(Int64(report.ended.count)), "farFutureStamps": .integer(Int64(report.farFutureStamps)),
    ]
  }

  private static func notes(_ notes: [ShareNote]) -> JSON {
    .array(notes.map { ["path": .string($0.path), "reason": .string($0.reason)] })
  }
}
