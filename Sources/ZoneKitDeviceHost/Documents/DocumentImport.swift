import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// Joins a file with a device's documents, item by item (`DocumentMerge`).
///
/// The result is a list of edits for one transaction, and a report. Importing the same file again gives no edits.
struct DocumentImport {
  private let app: DocumentApp
  /// The documents to save.
  private(set) var edits: [RecordEdit] = []
  private var added = 0
  private var updated = 0
  private var unchanged = 0
  private let refused: [RowNote]

  /// Plans the import of a file into the documents of a device.
  init(_ file: DocumentFile, into view: AppView, of app: DocumentApp) throws(StoreError) {
    self.app = app
    refused = file.refused
    var order: [DocumentName] = []
    var taken: [DocumentName: Fields] = [:]
    for entry in file.entries {
      if taken[entry.name] == nil { order.append(entry.name) }
      taken[entry.name] = taken[entry.name].map { join($0, entry.fields, entry.name) } ?? entry.fields
    }
    for name in order {
      guard let fields = taken[name] else { continue }
      let record = try view.store.record(RecordID(recordName: name.recordName, zoneID: app.zoneID))
      add(fields, of: name, to: record.flatMap { app.document($0)?.fields })
    }
  }

  private mutating func add(_ fields: Fields, of name: DocumentName, to known: Fields?) {
    guard let known else {
      added += 1
      return edits.append(edit(fields, name))
    }
    let joined = join(known, fields, name)
    guard EncodedFields(joined) != EncodedFields(known) else { return unchanged += 1 }
    updated += 1
    edits.append(edit(joined, name))
  }

  /// The merge of two versions of a document.
  private func join(_ first: Fields, _ second: Fields, _ name: DocumentName) -> Fields {
    app.schema.collection(name.collection).map { DocumentMerge($0).join(first, second) } ?? second
  }

  private func edit(_ fields: Fields, _ name: DocumentName) -> RecordEdit {
    .save(
      RecordID(recordName: name.recordName, zoneID: app.zoneID), type: name.collection, fields: fields, parent: nil,
      stamping: .asGiven)
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
