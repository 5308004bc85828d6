import ZoneKitDocuments
import ZoneKitRecords

/// The documents of the diet log, a food diary for one person on several devices. A file that is part of the program
/// describes them.
package enum DietLog {
  /// The app as a server of documents sees it.
  package static let documents: DocumentApp = {
    do throws(DocumentSchemaProblems) {
      return try DocumentSchemaReader.app(Array(file.utf8), file: "the file of the diet log")
    } catch {
      fatalError("\(error)")
    }
  }()

  /// The collections, in the order in which answers list them.
  package static let schema = documents.schema

  /// The foods of a log.
  static let items = schema.collection("foodLogs")?.items?.items ?? DocumentItems([])

  /// The amounts of a food, in the order in which answers list them.
  static let amounts = items.amounts

  /// The units of quantities.
  static let units: [String] = {
    let unit = items.members.first { $0.name == "unit" }
    return if case .choice(let words)? = unit?.kind { words } else { [] }
  }()
}
