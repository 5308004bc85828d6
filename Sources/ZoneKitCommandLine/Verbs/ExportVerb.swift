import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// `zonekit export`: writes the profiles of a device in the app's file format.
enum ExportVerb {
  static let spec = VerbSpec(
    "export", summary: "print a device's profile and its actions as a file",
    details: """
      Works while the device is running. A file contains one profile: the one that the device shows, unless --profile names
      another. With --all every profile is written to its own file in the folder that --out names; import reads them.
      Standard error names the data that is in no file.
      The apps records and documents have one file with everything instead. With --type it is a CSV file of one type, a line for
      each record or document with its ID first, and with --map one in the form of another program, as import takes it.
      """,
    options: [
      OptionSpec("--device", "NAME", help: "the device", kind: .name(.devices)),
      AppTable.option,
      OptionSpec("--type", "TYPE", help: "a record type or collection, as CSV"),
      MapOption.spec,
      MapOption.timeZone,
      OptionSpec("--profile", "NAME|ID", help: "the profile with that name or beginning of an ID"),
      OptionSpec("--all", help: "all profiles; --out is then a folder"),
      OptionSpec("--out", "FILE", help: "the file to write instead of standard output"),
    ],
    examples: [
      "zonekit export --device A > mia.json", "zonekit export --device A --profile Tom --out tom.json",
      "zonekit export --device A --all --out profiles", "zonekit export --device A --type Task --out tasks.csv",
      "zonekit export --device A --map expenses.map.json --timezone Europe/Zurich > expenses.csv",
    ],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    guard let name = words.value("--device") else { throw .usage("--device is missing: whose profile?") }
    if words.has("--type"), words.has(MapOption.spec.name) {
      throw .usage("--type and --map exclude each other; the mapping names the type")
    }
    let selection = try selection(words)
    let app = try AppTable.app(ofDevice: name, words)
    guard let interchange = app.interchange else { throw .usage("the app \(app.name) has no files to export") }
    let export: DeviceApp.Export
    do {
      let folder = try StoppedDevice.folder(of: name, in: DataDirectory(words.dataDirectory))
      let file = try DeviceFile.readOnly(folder: folder)
      let fallback = app.hasTables ? nil : DeviceOptions.defaultUser
      let user = try file.values()[.account]?.text.map { Name($0) } ?? fallback
      let view = AppView(
        store: file, account: user, wall: SystemClock.wall, timeZone: try MapOption.timeZone(words))
      if let mapped = try MapOption.files(of: app, words) {
        export = try mapped.export(view)
      } else if let type = words.value("--type") {
        guard let table = interchange.table else {
          throw ExitFailure.usage("--type goes with --app records and --app documents, not with \(app.name)")
        }
        export = try table(type, view)
      } else {
        export = try interchange.export(selection, view)
      }
      try write(export.files, of: selection, to: words.value("--out"))
    } catch let failure as ExitFailure {
      throw failure
    } catch let error as StoresError {
      throw ExitFailure(error)
    } catch let refusal as AppRefusal {
      throw .input("\(refusal)")
    } catch {
      throw .unavailable("\(error)")
    }
    if let remark = export.remark { Console.complain(remark) }
    return 0
  }

  private static func selection(_ words: Invocation) throws(ExitFailure) -> DeviceApp.Selection {
    let profile = words.value("--profile")
    guard words.has("--all") else { return profile.map { .named($0) } ?? .current }
    guard profile == nil else { throw .usage("--all and --profile exclude each other") }
    guard words.has("--out") else {
      throw .usage("--all writes a file for each profile; name a folder for them with --out")
    }
    return .all
  }

  private static func write(
    _ files: [DeviceApp.Export.File], of selection: DeviceApp.Selection, to target: String?
  ) throws(StoreError) {
    guard let target else {
      for file in files { Console.print(bytes: file.text) }
      return
    }
    guard selection == .all else {
      for file in files { try Folder.write(file.text, to: target) }
      return
    }
    try Folder.make(target)
    var progress = ProgressLine("files", of: files.count)
    defer { progress.clear() }
    for (index, file) in files.enumerated() {
      progress.show(index)
      let path = "\(target)/\(file.name)"
      try Folder.write(file.text, to: path)
      progress.clear()
      Console.print(path)
    }
  }
}
