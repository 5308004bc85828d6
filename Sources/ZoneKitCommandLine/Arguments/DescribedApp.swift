import ZoneKitDeviceHost
import ZoneKitOwnApps
import ZoneKitRecords
import ZoneKitService

/// The apps whose data files describe: documents of a JSON file, and rows of a schema in SQL.
enum DescribedApp {
  /// Their names, each with the option that names its file and an example of the file.
  static let all = [
    (name: DeviceApp.documentsName, option: DocumentsOption.deviceSpec, example: "FILE.json"),
    (name: DeviceApp.rowsName, option: TablesOption.deviceSpec, example: "FILE.sql"),
  ]

  /// Whether an app of that name needs a file.
  static func isNamed(_ name: String) -> Bool { all.contains { $0.name == name.lowercased() } }

  /// What `--app NAME` lacks without the file.
  static func need(of name: String) -> String {
    all.first { $0.name == name.lowercased() }.map {
      "--app \($0.name) needs the file that describes its data: \($0.option.name) \($0.example)"
    } ?? ""
  }

  /// The app that the options describe; nil if none names a file. Throws if two do.
  static func app(_ words: Invocation) throws(ExitFailure) -> DeviceApp? {
    let documents = try DocumentsOption.deviceApp(words)
    let rows = try TablesOption.deviceApp(words)
    guard documents == nil || rows == nil else { throw .usage("--documents and --tables describe two apps; name one") }
    return documents ?? rows
  }

  /// The option that names the file of an app.
  static func option(of app: DeviceApp) -> String { all.first { app.isNamed($0.name) }?.option.name ?? "" }

  /// The app of that name, or of a store that begins with it, with the data that a file with that text describes.
  static func app(named name: String, _ text: [UInt8], path: String) throws(ExitFailure) -> DeviceApp {
    let isRows = name.lowercased().utf8.starts(with: DeviceApp.rowsName.utf8)
    return isRows ? try TablesOption.deviceApp(text, path: path) : try DocumentsOption.deviceApp(text, path: path)
  }
}
