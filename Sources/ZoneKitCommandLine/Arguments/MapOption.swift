import ZoneKitDeviceHost
import ZoneKitRecords

/// The option `--map`: the file that says how files of another program are read and written.
enum MapOption {
  static let spec = OptionSpec(
    "--map", "MAPPING.json", help: "the form of files of another program, for --app records and documents")

  /// The option that names the time zone of the times in such files.
  static let timeZone = OptionSpec(
    "--timezone", "NAME", help: "the time zone of times without one, such as Europe/Zurich (default: UTC)")

  /// The files that the mapping describes; nil if none is named. Throws all of its problems.
  static func files(of app: DeviceApp, _ words: Invocation) throws(ExitFailure) -> DeviceApp.MappedFiles? {
    guard let path = words.value(spec.name) else { return nil }
    guard let mapped = app.interchange?.mapped else {
      throw .usage("\(spec.name) goes with --app records and --app documents, not with \(app.name)")
    }
    let bytes = try InputFile.read(path)
    do throws(AppRefusal) { return try mapped(bytes) } catch { throw .input(error.text(of: path)) }
  }

  /// The time zone of the times in files.
  static func timeZone(_ words: Invocation) throws(ExitFailure) -> TimeZoneRules {
    guard let name = words.value(timeZone.name) else { return .utc }
    do { return try SystemTimeZones.rules(name) } catch { throw .usage("\(timeZone.name): \(error)") }
  }
}
