import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// `zonekit export`: a device's profile in the app's share format.
enum ExportVerb {
  static let spec = VerbSpec(
    "export", summary: "the share file of a device's profile, on standard output",
    details: "Works beside a running device. What is not in the file is said on standard error.",
    options: [
      OptionSpec("--device", "NAME", help: "the device"),
      OptionSpec("--out", "FILE", help: "write the file there instead"),
    ],
    examples: ["zonekit export --device A > mia.json"], run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    guard let name = words.value("--device") else { throw .usage("--device is missing: whose profile?") }
    let export: ShareExport
    do {
      let folder = try StoppedDevice.folder(of: name, in: DataDirectory(words.dataDirectory))
      let file = try DeviceFile.readOnly(folder: folder)
      let user = Name(try file.values()[.account]?.text ?? DeviceOptions.defaultUser.text)
      export = try ShareExport(of: NannyApp(user: user, rebuiltFrom: file), at: SystemClock.wall)
      if let target = words.value("--out") {
        try Folder.write(export.text, to: target)
      } else {
        Console.print(bytes: export.text)
      }
    } catch let error as StoresError {
      throw ExitFailure(error)
    } catch let error as CommandError {
      throw .usage("\(error)")
    } catch {
      throw .unavailable("\(error)")
    }
    if let remark = export.remark { Console.complain(remark) }
    return 0
  }
}
