import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// Joins a file with a device's documents, item by item (`DocumentMerge`).
///
/// The result is a list of edits for one transaction, and a report. Importing the same file again gives no edits.
struct DietImport {
  /// The documents to save.
  private(set) var edits: [RecordEdit] = []
  private var added = 0
  private var updated = 0
  private var unchanged = 0
  private let refused: [RowNote]

  /// Plans the import of a file into a diary that has read all collections.
  init(_ file: DietFile, into diary: Diary) {
    refused = file.refused
    var order: [DocumentName] = []
    var taken: [DocumentName: DietDocument] = [:]
    for entry in file.entries {
      let name = entry.document.name
      if taken[name] == nil { order.append(name) }
      taken[name] = taken[name].map { $0.joined(with: entry.document) } ?? entry.document
    }
    for document in order.compactMap({ taken[$0] }) { join(document, with: diary.document(document.name)) }
  }

  private mutating func join(_ document: DietDocument, with known: DietDocument?) {
    guard let known else {
      added += 1
      return edits.append(document.edit(.asGiven))
    }
    let joined = known.joined(with: document)
    guard EncodedFields(joined.fields) != EncodedFields(known.fields) else { return unchanged += 1 }
    updated += 1
    edits.append(joined.edit(.asGiven))
  }

  // MARK: The report

  /// The report as lines: a summary, then one for each document that was refused.
  var lines: [String] {
    ["\(added) added, \(updated) updated, \(unchanged) unchanged, \(refused.count) refused"]
      + refused.map { "refused \($0)" }
  }

  /// The report as members of a JSON object.
  var members: [JSON.Member] {
    [
      JSON.Member("added", .integer(Int64(added))), JSON.Member("updated", .integer(Int64(updated))),
      JSON.Member("unchanged", .integer(Int64(unchanged))), JSON.Member("refused", .array(refused.map(\.json))),
    ]
  }
}

extension DietDocument {
  /// The merge of two versions of the document.
  fileprivate func joined(with other: DietDocument) -> DietDocument {
    DietDocument(name, DocumentMerge(collection).join(fields, other.fields))
  }
}
