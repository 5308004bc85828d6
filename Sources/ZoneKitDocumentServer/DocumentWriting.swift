import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

/// Works out the changes of one push. The zones have the changes so far.
struct DocumentWriting {
  let transaction: PushTransaction
  /// The zone of the changes.
  private(set) var zone: ZoneOverlay
  /// The zone of the conflict journal, in a push of documents.
  private var journal: ZoneOverlay?
  private let isNew: Bool
  /// The time of the commit.
  let stamp: WallTime
  /// The documents that were changed already.
  private var seen: Set<DocumentName> = []
  /// Whether the sums of a day were changed.
  private(set) var hasChangedSums = false
  /// The sums of the days that the changes touch.
  private var summaries: [String: DailySummary] = [:]

  /// The zones before the first change.
  init(
    _ transaction: PushTransaction, reading reader: inout NotingReader,
    using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) {
    self.transaction = transaction
    let key = transaction.key(transaction.feed)
    isNew = try reader.zone(key) == nil
    zone = try ZoneOverlay(of: key, at: transaction.now, reading: &reader, using: &generator)
    if transaction.feed == .documents, transaction.push.decider == .server {
      journal = try ZoneOverlay(
        of: transaction.key(.conflicts), at: transaction.now, reading: &reader, using: &generator)
    }
    stamp = max(transaction.now, zone.header.lastCommitAt)
    try reader.content(of: key).require(transaction.likelyNeeds.filter(\.isOfContent))
  }

  /// The zones that have changes, and one that the push begins.
  var changedZones: [ZoneOverlay] {
    (isNew || zone.changes != nil ? [zone] : []) + (journal.map { $0.changes == nil ? [] : [$0] } ?? [])
  }

  private var schema: DocumentSchema { transaction.app.schema }

  // MARK: One change

  /// The result of the next change.
  mutating func outcome(of change: DocumentChange) throws(EvaluationFailure) -> ChangeResult.Outcome {
    do throws(ChangeFailure) {
      return try accepted(change)
    } catch {
      switch error {
      case .refused(let error): return .failed(error)
      case .evaluation(let failure): throw failure
      }
    }
  }

  private mutating func accepted(_ change: DocumentChange) throws(ChangeFailure) -> ChangeResult.Outcome {
    let collection = try collection(of: change)
    let stored = try self.stored(change.name, in: collection)
    if stored == nil, change.operation == .delete, change.data == nil || change.erases {
      return .applied(isChanged: false, ChangeResult.Version(number: 0))
    }
    if case .tag(let tag) = change.base, tag.dataset != zone.header.dataset {
      throw .refused(
        ChangeError(.datasetChanged, "`tag` is of another data set than the server has now", path: "tag"))
    }
    guard let stored else { return try begin(change, in: collection) }
    return try apply(change, to: stored, in: collection)
  }

  /// The reason why a change has no result.
  private enum ChangeFailure: Error {
    case refused(ChangeError)
    case evaluation(EvaluationFailure)

    static func catching<Value>(_ read: () throws(EvaluationFailure) -> Value) throws(ChangeFailure) -> Value {
      do {
        return try read()
      } catch {
        throw .evaluation(error)
      }
    }
  }

  /// A document as it is stored.
  private struct Stored {
    let record: StoredRecord
    let fields: Fields
    let written: WrittenDocument
  }

  private mutating func collection(of change: DocumentChange) throws(ChangeFailure) -> DocumentCollection {
    guard let collection = schema.collection(change.name.collection) else {
      let known = schema.collections.map(\.name.text).joined(separator: ", ")
      throw .refused(
        ChangeError(
          .unknownCollection, "there is no collection \(change.name.collection); there are \(known)", path: "collection"
        ))
    }
    guard !collection.isDerived else {
      throw .refused(
        ChangeError(.readOnlyCollection, "only the server writes \(collection.name)", path: "collection"))
    }
    guard DocumentID.isValid(change.name.id) else {
      throw .refused(
        ChangeError(
          .badDocument, "`documentId` has to be 1 to 64 of the characters A-Z, a-z, 0-9, - and _", path: "documentId"))
    }
    guard seen.insert(change.name).inserted else {
      throw .refused(
        ChangeError(.duplicate, "an earlier change of this push is about the same document", path: "documentId"))
    }
    return collection
  }

  private func stored(_ name: DocumentName, in collection: DocumentCollection) throws(ChangeFailure) -> Stored? {
    let record = try ChangeFailure.catching { () throws(EvaluationFailure) in try zone.live(name.recordName) }
    guard let record else { return nil }
    let fields = try ChangeFailure.catching { () throws(EvaluationFailure) in try record.decodedFields() }
    guard record.recordType == collection.recordType,
      let written = DocumentWriter(collection, of: schema).written(record.fields)
    else {
      throw .refused(
        ChangeError(
          .badDocument, "the record \(name.recordName), which was written in another protocol, is no document",
          path: "documentId"))
    }
    return Stored(record: record, fields: fields, written: written)
  }

  /// The document after a change. A deletion may do without the content, which then stays.
  private func proposed(
    _ change: DocumentChange, over before: Fields?, in collection: DocumentCollection
  ) throws(ChangeFailure) -> Fields {
    if let before, change.operation == .delete, change.data == nil {
      var fields = before
      fields[.documentStamp] = .timestamp(change.timestamp)
      fields[.deleted] = .int64(1)
      return fields
    }
    do {
      return try DocumentReader(collection, of: schema).fields(
        after: change, before: before, of: transaction.database.user)
    } catch {
      throw .refused(error)
    }
  }

  /// A change of a document that is not there.
  private mutating func begin(
    _ change: DocumentChange, in collection: DocumentCollection
  ) throws(ChangeFailure) -> ChangeResult.Outcome {
    let fields = try proposed(change, over: nil, in: collection)
    let knowsOfNone = change.base == .none || change.base == .version(0)
    if transaction.push.decider == .client, !knowsOfNone || change.operation == .update {
      return .conflict(.client, nil, isChanged: false)
    }
    return try applied(put(fields, change.name, over: nil, in: collection))
  }

  private mutating func apply(
    _ change: DocumentChange, to stored: Stored, in collection: DocumentCollection
  ) throws(ChangeFailure) -> ChangeResult.Outcome {
    let version = stored.record.version(in: zone.header.dataset)
    // An entry of the journal never changes.
    if collection.name == .conflicts { return .applied(isChanged: false, version) }
    let fields = try proposed(change, over: stored.fields, in: collection)
    let isCurrent =
      switch change.base {
      case .none: false
      case .tag(let tag): tag.sequence == stored.record.sequence
      case .version(let number): number == stored.record.version
      }
    if isCurrent, change.operation == .delete, change.erases {
      return try applied(bury(stored, change.name, in: collection))
    }
    if EncodedFields(fields).utf8 == stored.record.fields.utf8 { return .applied(isChanged: false, version) }
    guard isCurrent else { return try judge(fields, change, against: stored, in: collection) }
    let kept =
      transaction.push.decider == .client ? fields : DocumentLift(collection).lifted(fields, over: stored.fields)
    return try applied(put(kept, change.name, over: stored, in: collection))
  }

  // MARK: Conflicts

  /// A change whose base is not the stored version.
  private mutating func judge(
    _ fields: Fields, _ change: DocumentChange, against stored: Stored, in collection: DocumentCollection
  ) throws(ChangeFailure) -> ChangeResult.Outcome {
    let merge = DocumentMerge(collection)
    let (kept, sent) = (merge.version(stored.fields), merge.version(fields))
    let joined = merge.join(kept, sent)
    let resolution: ChangeResult.Resolution =
      merge.showsSame(joined, sent) ? .client : merge.showsSame(joined, kept) ? .server : .merge
    let document = document(stored, change.name)
    guard transaction.push.decider == .server else { return .conflict(resolution, document, isChanged: false) }
    guard resolution != .merge else { return .conflict(.merge, document, isChanged: false) }
    if !merge.showsSame(kept, sent) {
      try ChangeFailure.catching { () throws(EvaluationFailure) in
        try log(fields, stored, change.name, resolution, merge)
      }
    }
    let isChanged = !merge.isEqual(joined, kept) && EncodedFields(joined.fields).utf8 != stored.record.fields.utf8
    let version =
      isChanged
      ? try put(joined.fields, change.name, over: stored, in: collection)
      : stored.record.version(in: zone.header.dataset)
    guard resolution == .server else { return .applied(isChanged: isChanged, version) }
    return .conflict(.server, document, isChanged: isChanged)
  }

  private func document(_ stored: Stored, _ name: DocumentName) -> Document {
    Document(
      name, of: transaction.database.user, version: stored.record.version,
      tag: DocumentTag(dataset: zone.header.dataset, sequence: stored.record.sequence),
      deviceID: stored.record.modified.author.deviceID, committedAt: stored.record.modified.at,
      content: stored.record.fields, isDeleted: stored.written.isDeleted,
      written: stored.written)
  }

  /// Writes two versions, of which one lost, to the conflict journal. A pair of versions is written once.
  private mutating func log(
    _ fields: Fields, _ stored: Stored, _ name: DocumentName, _ resolution: ChangeResult.Resolution,
    _ merge: DocumentMerge
  ) throws(EvaluationFailure) {
    let (sent, kept) = (RecordContent(fields: EncodedFields(fields)), RecordContent(fields: stored.record.fields))
    let id = RecordID(recordName: name.recordName, zoneID: ZoneID(zoneName: zone.key.zoneName))
    let entry = ConflictEntry(
      id: ConflictRecord.id(of: id, sent, kept), recordID: id, recordType: stored.record.recordType, at: stamp,
      winner: resolution == .server ? .server : .local,
      rule: merge.order(fields).rule(against: merge.order(stored.fields)), local: sent, server: kept,
      serverDeviceID: stored.record.modified.author.deviceID, decidedBy: DocumentServer.deviceID)
    guard try journal?.live(Name(entry.id)) == nil else { return }
    let authorship = Authorship(at: max(stamp, journal?.header.lastCommitAt ?? stamp), author: server)
    let fields = ConflictRecord.fields(of: entry)
    let record = record(Name(entry.id), ConflictRecord.recordType, fields, authorship, over: nil)
    try journal?.put(record, defining: fields)
  }

  // MARK: Writing

  private var server: Author {
    Author(userRecordName: transaction.author.userRecordName, deviceID: DocumentServer.deviceID)
  }

  private func applied(_ version: ChangeResult.Version) -> ChangeResult.Outcome { .applied(isChanged: true, version) }

  private func record(
    _ name: Name, _ type: Name, _ fields: Fields, _ modified: Authorship, over before: StoredRecord?
  ) -> StoredRecord {
    StoredRecord(
      recordName: name, recordType: type, fields: EncodedFields(fields), sequence: 0,
      created: before?.created ?? modified, modified: modified, parent: nil, references: [])
  }

  private mutating func put(
    _ fields: Fields, _ name: DocumentName, over before: Stored?, in collection: DocumentCollection
  ) throws(ChangeFailure) -> ChangeResult.Version {
    let modified = Authorship(at: stamp, author: transaction.author)
    let record = record(name.recordName, collection.recordType, fields, modified, over: before?.record)
    return try ChangeFailure.catching { () throws(EvaluationFailure) -> ChangeResult.Version in
      try sum(name, before?.fields, fields, in: collection)
      return try zone.put(record, defining: fields).version(in: zone.header.dataset)
    }
  }

  private mutating func bury(
    _ stored: Stored, _ name: DocumentName, in collection: DocumentCollection
  ) throws(ChangeFailure) -> ChangeResult.Version {
    try ChangeFailure.catching { () throws(EvaluationFailure) -> ChangeResult.Version in
      try sum(name, stored.fields, nil, in: collection)
      try zone.bury(stored.record, by: Authorship(at: stamp, author: transaction.author))
      let tombstone = try zone.latest(name.recordName) ?? stored.record
      return tombstone.version(in: zone.header.dataset)
    }
  }

  // MARK: Sums of days

  /// Takes a document out of the sums of its day, and puts its new version into those of its new day.
  private mutating func sum(
    _ name: DocumentName, _ before: Fields?, _ after: Fields?, in collection: DocumentCollection
  ) throws(EvaluationFailure) {
    guard let summary = schema.summary, summary.source == collection.name, let items = collection.items else { return }
    for (fields, isAfter) in [(before, false), (after, true)] {
      guard let fields, case .string(let day)? = fields[summary.day] else { continue }
      var sums = if let known = summaries[day] { known } else { try stored(day, summary) }
      let counts = isAfter && !fields.isDeleted
      sums.put(
        counts ? fields.items(in: items.name) ?? [] : nil, of: name.id, stamp: fields.editedAt, amounts: schema.summed)
      summaries[day] = sums
    }
  }

  private func stored(
    _ day: String, _ summary: DocumentSchema.Summary
  ) throws(EvaluationFailure) -> DailySummary {
    guard let record = try zone.live(DocumentName(summary.collection, day).recordName) else { return DailySummary() }
    return DailySummary(try record.decodedFields(), amounts: schema.summed) ?? DailySummary()
  }

  /// Writes the sums that the changes of the push touched.
  mutating func writeSummaries() throws(EvaluationFailure) {
    guard let summary = schema.summary else { return }
    for (day, sums) in summaries.sorted(by: { $0.key < $1.key }) {
      let name = DocumentName(summary.collection, day).recordName
      let before = try zone.live(name)
      if let before, DailySummary(try before.decodedFields(), amounts: schema.summed) == sums { continue }
      hasChangedSums = true
      let fields = sums.fields(stamp: stamp, amounts: schema.summed)
      let modified = Authorship(at: stamp, author: server)
      try zone.put(record(name, summary.collection, fields, modified, over: before), defining: fields)
    }
  }
}

extension Need {
  /// Whether it is content of a zone, and not a header or a database.
  fileprivate var isOfContent: Bool {
    switch self {
    case .records, .references, .dependents, .schema, .feed, .sequence: true
    case .database, .zones, .zone: false
    }
  }
}

extension ZoneOverlay {
  /// Saves a record, and adds those of its fields to the schema of its type that are new there.
  @discardableResult
  fileprivate mutating func put(
    _ record: StoredRecord, defining fields: Fields
  ) throws(EvaluationFailure) -> StoredRecord {
    let known = try schema(of: record.recordType)
    let new = fields.sorted.filter { field in !known.contains { $0.field == field.name } }
    define(new.map { FieldDefinition(recordType: record.recordType, field: $0.name, type: $0.value.type) })
    return try put(record)
  }
}
