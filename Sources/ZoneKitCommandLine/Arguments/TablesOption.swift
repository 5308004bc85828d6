import ZoneKitDeviceHost
import ZoneKitOwnApps
import ZoneKitService

/// The option `--tables` of verbs about devices: the files with the schema of a user's own tables.
enum TablesOption {
  static let deviceSpec = OptionSpec(
    "--tables", "FILE.sql|FOLDER",
    help: "the schema of the tables, for --app \(DeviceApp.rowsName) (default: that of the device)", isRepeatable: true)

  /// The app of a device with the tables of the files; nil if no file is named.
  static func deviceApp(_ words: Invocation) throws(ExitFailure) -> DeviceApp? {
    let paths = words.all(deviceSpec.name)
    guard !paths.isEmpty else { return nil }
    return try app(paths.joined(separator: ", ")) { () throws(SchemaFilesError) in try SchemaFiles(paths) }
  }

  /// The app of a device with the tables of a schema's text, which is that of all of its files.
  static func deviceApp(_ text: [UInt8], path: String) throws(ExitFailure) -> DeviceApp {
    try app(path) { () throws(SchemaFilesError) in try SchemaFiles(text: text, name: path) }
  }

  private static func app(
    _ path: String, _ read: () throws(SchemaFilesError) -> SchemaFiles
  ) throws(ExitFailure) -> DeviceApp {
    let files: SchemaFiles
    do throws(SchemaFilesError) {
      files = try read()
    } catch {
      throw .input("the tables of \(path) cannot be used\n\(error)")
    }
    let tables = files.catalogue.clientTables
    guard !tables.tables.isEmpty else {
      throw .input("\(path) has no table with a primary key in the schema public, so a device has nothing to keep")
    }
    var app = DeviceApp.rows(of: tables, from: DescribingFile(path: path, text: files.text, title: "a schema"))
    do throws(ServiceError) {
      app.simulation.schema = try OwnTables(files).served
    } catch {
      throw .input("the tables of \(path) cannot be used\n\(error)")
    }
    return app
  }
}
