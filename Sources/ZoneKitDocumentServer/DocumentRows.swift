import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

/// Reads documents from the rows of a feed. Records that are no documents of the schema, which can be written in CloudKit's
/// protocol, are left out.
struct DocumentRows {
  let app: DocumentApp
  /// The feed and its collections.
  let cursor: DocumentCursor
  let user: Name
  let dataset: UInt64
  private let kept: KeptDocuments?
  private let writers: DocumentWriters
  /// The documents that were written here, if any are kept.
  private(set) var written: [KeptDocuments.Entry] = []

  /// The documents of an account in that data set. `kept` are those that need not be written again; nil if none are kept.
  init(app: DocumentApp, cursor: DocumentCursor, user: Name, dataset: UInt64, kept: KeptDocuments?) {
    (self.app, self.cursor, self.user, self.dataset, self.kept) = (app, cursor, user, dataset, kept)
    writers = DocumentWriters(of: app.schema)
  }

  /// The entry of a row; nil if it is left out.
  mutating func entry(_ row: RecordPage.Row, of page: RecordPage) -> PullAnswer.Entry? {
    guard let name = DocumentName(recordName: Name(page.text(row.name)), in: cursor.feed),
      let collection = app.schema.collection(name.collection), isWanted(collection)
    else { return nil }
    let tag = DocumentTag(dataset: dataset, sequence: Self.sequence(row, of: page))
    let deviceID = page.authors[row.modifiedBy].deviceID
    guard !row.isDeleted else {
      return .tombstone(
        name,
        ChangeResult.Version(number: row.version, tag: tag, committedAt: row.modifiedAt, deviceID: deviceID))
    }
    guard page.text(row.type) == collection.recordType.text,
      let read = kept?.entry(tag, in: collection.name, storedAs: page.bytes.span.extracting(row.fields))
        ?? write(EncodedFields(canonical: Array(page.bytes[row.fields])), tag, in: collection)
    else { return nil }
    return .document(
      Document(
        name, of: user, version: row.version, tag: tag, deviceID: deviceID, committedAt: row.modifiedAt,
        content: read.shown, isDeleted: read.written.isDeleted, written: read.written))
  }

  /// The document with that content; nil if the content is that of no document.
  private mutating func write(
    _ content: EncodedFields, _ tag: DocumentTag, in collection: DocumentCollection
  ) -> KeptDocuments.Entry? {
    guard let written = writers.written(content, in: collection.name) else { return nil }
    let entry = KeptDocuments.Entry(
      tag: tag, collection: collection.name, stored: content,
      shown: collection.isDerived ? DailySummary.shown(content) : content, written: written)
    if kept != nil { self.written.append(entry) }
    return entry
  }

  private func isWanted(_ collection: DocumentCollection) -> Bool {
    guard let wanted = cursor.collections else { return true }
    return app.schema.collections.firstIndex { $0.name == collection.name }.map(wanted.contains) ?? true
  }

  /// The sequence of a row.
  static func sequence(_ row: RecordPage.Row, of page: RecordPage) -> Int64 {
    Int64(page.text(row.tag), radix: 36) ?? 0
  }
}

extension DocumentApp {
  /// The document of a record; nil if the record is not in the schema, or a tombstone.
  func document(
    _ record: StoredRecord, _ name: DocumentName, of user: Name, in dataset: UInt64
  ) throws(EvaluationFailure) -> Document? {
    guard !record.isDeleted, let collection = schema.collection(name.collection),
      record.recordType == collection.recordType
    else { return nil }
    guard let written = DocumentWriter(collection, of: schema).written(record.fields) else { return nil }
    return Document(
      name, of: user, version: record.version, tag: DocumentTag(dataset: dataset, sequence: record.sequence),
      deviceID: record.modified.author.deviceID, committedAt: record.modified.at,
      content: collection.isDerived ? DailySummary.shown(record.fields) : record.fields, isDeleted: written.isDeleted,
      written: written)
  }
}
