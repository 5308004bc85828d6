import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitOwnApps

/// The option `--documents`: the file that describes the documents of an app.
enum DocumentsOption {
  static let spec = OptionSpec(
    "--documents", "FILE", help: "serve the documents that this JSON file describes (default: those of the diet log)")

  /// The same option for verbs about devices.
  static let deviceSpec = OptionSpec(
    spec.name, "FILE",
    help: "the file that describes the documents, for --app \(DeviceApp.documentsName) (default: that of the device)")

  /// The app that the file describes; the diet log if none is named. An input error lists all problems of the file.
  static func app(_ words: Invocation) throws(ExitFailure) -> DocumentApp {
    guard let path = words.value(spec.name) else { return DietLog.documents }
    return try app(try InputFile.read(path), path: path)
  }

  /// The app of a device with the documents that the file describes; nil if no file is named.
  static func deviceApp(_ words: Invocation) throws(ExitFailure) -> DeviceApp? {
    guard let path = words.value(spec.name) else { return nil }
    return try deviceApp(try InputFile.read(path), path: path)
  }

  /// The app of a device with the documents that a file with that text describes.
  static func deviceApp(_ text: [UInt8], path: String) throws(ExitFailure) -> DeviceApp {
    let app = try app(text, path: path)
    return .documents(of: app, from: DescribingFile(path: path, text: text, title: app.name))
  }

  private static func app(_ text: [UInt8], path: String) throws(ExitFailure) -> DocumentApp {
    do throws(DocumentSchemaProblems) {
      return try DocumentSchemaReader.app(text, file: path)
    } catch {
      throw .input("the documents of \(path) cannot be used\n\(error)")
    }
  }
}
