import ZoneKitDeviceHost
import ZoneKitNannyAndMe
import ZoneKitService
import ZoneKitSimulator

/// The apps that devices can run, simulated or as processes. Nothing else in the command line names an app.
enum AppTable {
  /// All apps. The first one runs where none is named, and made the stores that name none.
  static let all: [DeviceApp] = [
    .nannyAndMe,
    ItemsApp.app,
  ]

  /// The app that runs where none is named.
  static var standard: DeviceApp { all[0] }

  /// The option that names an app.
  static let option = OptionSpec(
    "--app", "NAME", help: "the app: \(names) (default: the device's own, else \(standard.name))")

  /// The names of all apps, for a sentence.
  static var names: String { all.map(\.name).joined(separator: ", ") }

  /// The app of that name.
  static func app(named name: String) throws(ExitFailure) -> DeviceApp {
    guard let app = all.first(where: { $0.name == name }) else {
      throw .usage("there is no app \(name)\(Suggestion.text(for: name, among: all.map(\.name))); there are \(names)")
    }
    return app
  }

  /// The app of a device: the one that made its store; for a new device the one that `--app` names, else the standard one.
  /// Throws where `--app` names another app than the store's.
  static func app(ofDevice device: String, _ words: Invocation) throws(ExitFailure) -> DeviceApp {
    let asked = try words.value("--app").map { (name) throws(ExitFailure) in try app(named: name) }
    // A store that cannot be read is reported where it is opened.
    let data = DataDirectory(words.dataDirectory)
    guard let owner = try? data.app(ofDevice: device, unmarkedApp: standard.name) else { return asked ?? standard }
    if let asked, asked.name != owner {
      throw .usage(
        "device \(device) was made by the app \(owner), not by \(asked.name); leave --app out, or erase the device")
    }
    guard let app = all.first(where: { $0.name == owner }) else {
      throw .usage(
        "device \(device) was made by the app \(owner), which this program does not have; there are \(names)")
    }
    return app
  }
}
