import ZoneKitDeviceHost
import ZoneKitProcesses
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// `zonekit import`: merges exported files into a device.
enum ImportVerb {
  static let spec = VerbSpec(
    "import", "FILE...", summary: "merge exported files into a device (- reads standard input)",
    details: """
      Records are merged by ID with the app's conflict rule. If a file is malformed, nothing is imported. FILE can also be
      a folder, as export --all writes it: its files that end in .json are read. The device must not be running; the
      changes are sent when it runs next. Importing the same file again changes nothing. SIGINT and SIGTERM end it between
      two files. A file is JSON in UTF-8, of the device's app:

      \(formats)

      With --map, FILE is a CSV or JSON file of another program, and MAPPING.json says which of its columns become which fields
      of records or documents: see the page "Devices of your own data". Each problem is named with its file, line and
      column.
      """,
    options: [
      OptionSpec("--device", "NAME", help: "the device; made if there is none", kind: .name(.devices)),
      AppTable.option,
      DocumentsOption.deviceSpec,
      TablesOption.deviceSpec,
      AppTable.container,
      OptionSpec(
        "--map", "MAPPING.json", help: "how to read files of another program, for --app records and documents"),
      OptionSpec(
        "--timezone", "NAME", help: "the time zone of times without one, such as Europe/Zurich (default: UTC)"),
      OptionSpec("--user", "USER", help: "the account of a new device (default nanny)"),
    ],
    examples: [
      "zonekit import mia.json --device A", "zonekit import profiles --device A",
      "zonekit import expenses.csv --device A --app records --map expenses.map.json",
    ], run: run)

  /// The formats of all apps, each with an example.
  private static var formats: String {
    AppTable.all.compactMap { app in
      app.interchange.map { "\(app.name): \($0.summary).\n  \($0.example)" }
    }.joined(separator: "\n\n")
  }

  /// A file that was read.
  private struct Input {
    let path: String
    let bytes: [UInt8]
  }

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    guard !words.operands.isEmpty else { throw .usage("FILE is missing") }
    guard let name = words.value("--device") else { throw .usage("--device is missing: into which device?") }
    let app = try AppTable.app(ofOldOrNewDevice: name, words)
    let reading = try reading(of: app, words)
    let zone = try MapOption.timeZone(words)
    var inputs: [Input] = []
    let endings = [".json"] + (words.has(MapOption.spec.name) ? [".csv"] : [])
    for path in words.operands { inputs += try files(at: path, endings) }
    // All files are checked first. A bad file must neither make the device nor import the others.
    for input in inputs {
      do throws(AppRefusal) { try reading.check(input.bytes) } catch { throw .input(error.text(of: input.path)) }
    }
    let device: StoppedDevice
    do throws(StoreError) {
      device = try StoppedDevice(
        name, in: DataDirectory(words.dataDirectory), user: words.value("--user").map { Name($0) }, app: app,
        unmarkedApp: AppTable.standard.name)
    } catch {
      throw .unavailable("\(error)")
    }
    return try EndingSignals.held { () throws(ExitFailure) in
      var progress = ProgressLine("files", of: inputs.count)
      defer { progress.clear() }
      for (index, input) in inputs.enumerated() {
        if let signal = EndingSignals.pending {
          progress.clear()
          throw .interrupted(
            by: signal, "interrupted after \(index) of \(inputs.count.counted("file")); import again for the others")
        }
        progress.show(index)
        let answer = try merge(input, into: device, in: zone, reading.merge)
        progress.clear()
        show(answer, device.view, of: inputs.count > 1 ? input.path : nil, words)
      }
      return 0
    }
  }

  /// How the files are read: in the app's own format, or as a mapping says.
  private static func reading(
    of app: DeviceApp, _ words: Invocation
  ) throws(ExitFailure) -> (check: Check, merge: Merge) {
    if let mapped = try MapOption.files(of: app, words) { return (mapped.check, mapped.merge) }
    guard let interchange = app.interchange else { throw .usage("the app \(app.name) has no files to import") }
    return (interchange.check, interchange.merge)
  }

  private typealias Check = @Sendable ([UInt8]) throws(AppRefusal) -> Void
  private typealias Merge = @Sendable ([UInt8], AppView) throws -> AppAnswer

  /// The file of that path, or the files of that folder whose names have one of those endings.
  private static func files(at path: String, _ endings: [String]) throws(ExitFailure) -> [Input] {
    guard Folder.isFolder(path) else { return [Input(path: path, bytes: try InputFile.read(path))] }
    let names: [String]
    do throws(StoreError) {
      names = try Folder.names(in: path).filter { name in endings.contains { name.hasSuffix($0) } }.sorted()
    } catch {
      throw .unavailable("\(error)")
    }
    guard !names.isEmpty else {
      throw .input("\(path) has no file whose name ends in \(endings.joined(separator: " or "))")
    }
    var inputs: [Input] = []
    for name in names { inputs.append(Input(path: "\(path)/\(name)", bytes: try InputFile.read("\(path)/\(name)"))) }
    return inputs
  }

  private static func merge(
    _ input: Input, into device: StoppedDevice, in zone: TimeZoneRules, _ merge: Merge
  ) throws(ExitFailure) -> AppAnswer {
    do {
      let answer = try merge(input.bytes, device.view(in: zone))
      try device.save(answer)
      return answer
    } catch let refusal as AppRefusal {
      throw .input(refusal.text(of: input.path))
    } catch {
      throw .unavailable("\(error)")
    }
  }

  private static func show(_ answer: AppAnswer, _ view: AppView, of path: String?, _ words: Invocation) {
    if words.wantsJSON {
      let file = path.map { [JSON.Member("file", .string($0))] } ?? []
      return Console.print(JSON.object([JSON.Member("event", "imported")] + file + answer.members(in: view)).text())
    }
    for line in answer.lines() { Console.print((path.map { "\($0): " } ?? "") + line) }
  }
}
