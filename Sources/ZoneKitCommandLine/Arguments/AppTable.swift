import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitNannyAndMe
import ZoneKitOwnApps
import ZoneKitRecords
import ZoneKitScenarios
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
    "--app", "NAME", help: "the app: \(names) (default: the device's own, otherwise \(standard.name))",
    kind: .name(.apps))

  /// The names of all apps, separated by commas.
  static var names: String { allNames.joined(separator: ", ") }

  /// The names of all apps; those of apps whose data a file describes are the last ones.
  static var allNames: [String] { all.map(\.name) + DescribedApp.all.map(\.name) }

  /// The app of that name, in which case and hyphens do not matter. Throws if there is none, or if it needs a file.
  static func app(named name: String) throws(ExitFailure) -> DeviceApp {
    if let app = all.first(where: { $0.isNamed(name) }) { return app }
    guard !DescribedApp.isNamed(name) else { throw .usage(DescribedApp.need(of: name)) }
    throw .usage("there is no app \(name)\(Suggestion.text(for: name, among: allNames)); there are \(names)")
  }

  /// The app that `--app`, `--documents` and `--tables` name; nil if none of them is given.
  static func asked(_ words: Invocation) throws(ExitFailure) -> DeviceApp? {
    let name = words.value(option.name)
    if let container = words.value(container.name) {
      guard let name, DeviceApp.records.isNamed(name) else {
        throw .usage("\(self.container.name) goes with --app \(DeviceApp.records.name)")
      }
      return .records(in: Name(container))
    }
    guard let described = try DescribedApp.app(words) else {
      return try name.map { (name) throws(ExitFailure) in try app(named: name) }
    }
    guard name.map(described.isNamed) ?? true else {
      throw .usage(
        "\(DescribedApp.option(of: described)) goes with --app \(described.name), not with --app \(name ?? "")")
    }
    return described
  }

  /// The apps that devices of a scenario can have: all, and the one whose data its file describes. Throws if there is no such
  /// file, or an app needs one.
  static func apps(of scenario: Scenario) throws(ExitFailure) -> [DeviceApp] {
    let name = scenario.app ?? ""
    guard let file = scenario.appFile, let text = file.text else {
      guard let described = DescribedApp.all.first(where: { $0.name == name.lowercased() }) else { return all }
      throw .input(
        "\(scenario.name): app \(described.name) needs the file that describes its data; write "
          + "app \(described.name) from \(described.example)")
    }
    guard DescribedApp.isNamed(name) else {
      throw .input("\(scenario.name): app \(name) needs no file; leave from \(file.path) out")
    }
    return all + [try DescribedApp.app(named: name, text, path: file.path)]
  }

  /// The option that names the container of records.
  static let container = OptionSpec(
    "--container", "NAME",
    help: "the container, for --app records (default: the device's own, otherwise \(DeviceApp.recordsContainer))")

  /// All apps, and those of the stores of devices in a folder whose data files describe, or whose container a user chose.
  static func apps(in data: DataDirectory) -> [DeviceApp] { apps(of: data.owners(unmarkedApp: standard.name)) }

  /// The same for the stores that those apps made.
  static func apps(of owners: [StoreOwner]) -> [DeviceApp] {
    var apps = all
    for owner in owners {
      guard let app = (try? described(owner, device: "")) ?? records(owner),
        !apps.contains(where: { $0.fullName == app.fullName })
      else {
        continue
      }
      apps.append(app)
    }
    return apps
  }

  /// The app of a store with records of a container that its user chose; nil for a store of another app.
  private static func records(_ owner: StoreOwner) -> DeviceApp? {
    let start = "\(DeviceApp.records.name) in "
    return owner.app.hasPrefix(start) ? .records(in: Name(String(owner.app.dropFirst(start.count)))) : nil
  }

  /// The app of a store whose data a file describes; nil for a store of another app. Throws if the file's text is not valid.
  private static func described(_ owner: StoreOwner, device: String) throws(ExitFailure) -> DeviceApp? {
    try owner.describingText.map { (text) throws(ExitFailure) in
      try DescribedApp.app(named: owner.app, text, path: "the file in the store of device \(device)")
    }
  }

  /// The app of a device: the one that made its store; for a new device the one that `--app` and `--documents` name, over the
  /// protocol that `--via` names, otherwise the default. Throws if the options name another than the store.
  static func app(ofDevice device: String, _ words: Invocation) throws(ExitFailure) -> DeviceApp {
    let name = words.value(option.name)
    // A store that cannot be read is reported when it is opened.
    let data = DataDirectory(words.dataDirectory)
    guard let owner = try? data.owner(ofDevice: device, unmarkedApp: standard.name) else {
      return try app(asked(words) ?? standard, overWireOf: words)
    }
    var described = try DescribedApp.app(words)
    if described == nil { described = try self.described(owner, device: device) }
    let known = all + (described.map { [$0] } ?? []) + (records(owner).map { [$0] } ?? [])
    guard let app = known.flatMap(\.variants).first(where: { $0.storeName == owner.app }) else {
      if let described, words.has(DescribedApp.option(of: described)) {
        throw .usage(
          "device \(device) was made by the app \(owner.app), not by \(described.fullName); leave "
            + "\(DescribedApp.option(of: described)) out, or erase the device")
      }
      throw .usage(
        "device \(device) was made by the app \(owner.app), which this program does not have; there are \(names)")
    }
    if let name, !app.isNamed(name) {
      // A name that no app has is a mistake of its own.
      if !DescribedApp.isNamed(name) { _ = try self.app(named: name) }
      throw .usage(
        "device \(device) was made by the app \(app.name), not by \(name); leave --app out, or erase the device")
    }
    let wanted = try self.app(app, overWireOf: words)
    if wanted.storeName != app.storeName, words.has(via.name) {
      throw .usage(
        "device \(device) was made over \(app.wire?.rawValue ?? "no wire"), and its change tags mean nothing over "
          + "\(wanted.wire?.rawValue ?? "another"); leave --via out, or erase the device")
    }
    return app
  }

  /// The app of a device that a verb makes if there is none, with the container that `--container` names. Throws if the device
  /// has another one.
  static func app(ofOldOrNewDevice device: String, _ words: Invocation) throws(ExitFailure) -> DeviceApp {
    let app = try app(ofDevice: device, words)
    guard let container = words.value(container.name), Name(container) != app.container else { return app }
    throw .usage(
      "device \(device) has the container \(app.container), not \(container); leave --container out, or erase the device"
    )
  }

  /// The option that names the protocol for documents.
  static let via = OptionSpec(
    "--via", "WIRE",
    help: "the protocol for documents: \(DocumentWire.names) (default: the device's own, otherwise rest)",
    kind: .word(DocumentWire.allCases.map(\.rawValue)))

  /// The app over the protocol that `--via` names. Throws if the app does not have it.
  private static func app(_ app: DeviceApp, overWireOf words: Invocation) throws(ExitFailure) -> DeviceApp {
    guard let name = words.value(via.name) else { return app }
    guard let wire = DocumentWire(rawValue: name) else {
      throw .usage("--via takes \(DocumentWire.names), not \(name)")
    }
    guard let other = app.over(wire) else {
      let others = (all.filter { $0.documents != nil }.map(\.name) + [DeviceApp.documentsName]).joined(separator: ", ")
      throw .usage("--via goes with \(others), not with \(app.name)")
    }
    return other
  }
}
