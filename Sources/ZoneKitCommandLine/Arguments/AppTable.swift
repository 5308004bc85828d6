import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitNannyAndMe
import ZoneKitOwnApps
import ZoneKitService
import ZoneKitSimulator
import ZoneKitSwissCoin

/// The apps that simulated and real devices can run. No other code in the command line names an app.
enum AppTable {
  /// All apps. The first one is the default, and is the app of stores that name none.
  static let all: [DeviceApp] = [
    .nannyAndMe,
    ItemsApp.app,
    .swissCoin,
    .dietLog,
    .records,
  ]

  /// The apps among which each seed of `simulate` draws one. The others are simulated with `--app`.
  static let drawn = Array(all.prefix(2))

  /// The default app.
  static var standard: DeviceApp { all[0] }

  /// The option that names an app.
  static let option = OptionSpec(
    "--app", "NAME", help: "the app: \(names) (default: the device's own, otherwise \(standard.name))")

  /// The names of all apps, separated by commas.
  static var names: String { all.map(\.name).joined(separator: ", ") }

  /// The app of that name, in which case and hyphens do not matter. Throws if there is none.
  static func app(named name: String) throws(ExitFailure) -> DeviceApp {
    guard let app = all.first(where: { $0.isNamed(name) }) else {
      throw .usage("there is no app \(name)\(Suggestion.text(for: name, among: all.map(\.name))); there are \(names)")
    }
    return app
  }

  /// The app of a device: the one that made its store; for a new device the one that `--app` names, over the protocol that
  /// `--via` names, otherwise the default. Throws if `--app` or `--via` names another than the store.
  static func app(ofDevice device: String, _ words: Invocation) throws(ExitFailure) -> DeviceApp {
    let asked = try words.value("--app").map { (name) throws(ExitFailure) in try app(named: name) }
    // A store that cannot be read is reported when it is opened.
    let data = DataDirectory(words.dataDirectory)
    guard let owner = try? data.app(ofDevice: device, unmarkedApp: standard.name) else {
      return try app(asked ?? standard, overWireOf: words)
    }
    guard let app = all.flatMap(\.variants).first(where: { $0.storeName == owner }) else {
      throw .usage(
        "device \(device) was made by the app \(owner), which this program does not have; there are \(names)")
    }
    if let asked, asked.name != app.name {
      throw .usage(
        "device \(device) was made by the app \(app.name), not by \(asked.name); leave --app out, or erase the device")
    }
    let wanted = try self.app(app, overWireOf: words)
    if wanted.storeName != app.storeName, words.has(via.name) {
      throw .usage(
        "device \(device) was made over \(app.wire?.rawValue ?? "no wire"), and its change tags mean nothing over "
          + "\(wanted.wire?.rawValue ?? "another"); leave --via out, or erase the device")
    }
    return app
  }

  /// The option that names the protocol for documents.
  static let via = OptionSpec(
    "--via", "WIRE",
    help: "the protocol for documents: \(DocumentWire.names) (default: the device's own, otherwise rest)")

  /// The app over the protocol that `--via` names. Throws if the app does not have it.
  private static func app(_ app: DeviceApp, overWireOf words: Invocation) throws(ExitFailure) -> DeviceApp {
    guard let name = words.value(via.name) else { return app }
    guard let wire = DocumentWire(rawValue: name) else {
      throw .usage("--via takes \(DocumentWire.names), not \(name)")
    }
    guard let other = app.over(wire) else {
      let others = all.filter { $0.documents != nil }.map(\.name).joined(separator: ", ")
      throw .usage("--via goes with \(others), not with \(app.name)")
    }
    return other
  }
}
