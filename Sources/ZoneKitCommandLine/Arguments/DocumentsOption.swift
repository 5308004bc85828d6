import ZoneKitDietLog
import ZoneKitDocuments

/// The option `--documents`: the file that describes the documents of an app.
enum DocumentsOption {
  static let spec = OptionSpec(
    "--documents", "FILE", help: "serve the documents that this JSON file describes (default: those of the diet log)")

  /// The app that the file describes; the diet log if none is named. An input error lists all problems of the file.
  static func app(_ words: Invocation) throws(ExitFailure) -> DocumentApp {
    guard let path = words.value(spec.name) else { return DietLog.documents }
    let bytes = try InputFile.read(path)
    do throws(DocumentSchemaProblems) {
      return try DocumentSchemaReader.app(bytes, file: path)
    } catch {
      throw .input("the documents of \(path) cannot be served\n\(error)")
    }
  }
}
