import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

/// Works out the changes of one push. The zones have the changes so far.
struct DocumentWriting {
  let transaction: PushTransaction
  /// The zone of the changes.
  var zone: ZoneOverlay
  /// The zone of the conflict journal, in a push of documents.
  var journal: ZoneOverlay?
  private let isNew: Bool
  /// The time of the commit.
  let stamp: WallTime
  /// The documents that were changed already.
  private var seen: Set<DocumentName> = []
  /// Whether the sums of a day were changed.
  var hasChangedSums = false
  /// The sums of the days that the changes touch.
  var summaries: [String: DailySummary] = [:]
  /// The decisions for the conflict journal. They are written together, so that they are read together.
  var decisions: [ConflictEntry] = []
  /// What the sender is asked to merge.
  var asked: [AskedMerges.Question] = []

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
    let content = reader.content(of: key)
    try content.require(transaction.likelyNeeds.filter(\.isOfContent))
    try content.require([.records(try daysBefore(), in: key)])
  }

  /// The zones that have changes, and one that the push begins.
  var changedZones: [ZoneOverlay] {
    (isNew || zone.changes != nil ? [zone] : []) + (journal.map { $0.changes == nil ? [] : [$0] } ?? [])
  }

  var schema: DocumentSchema { transaction.app.schema }

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
    let isOfOtherSet =
      if case .tag(let tag) = change.base {
        tag.dataset != zone.header.dataset || !zone.header.covers(tag.sequence)
      } else {
        false
      }
    // A document that is to be erased may be offered again by a client that has not heard of the loss.
    let mayReturn = isOfOtherSet && change.erases
    if stored == nil, change.operation == .delete, change.data == nil || change.erases, !mayReturn {
      return .applied(isChanged: false, ChangeResult.Version(number: 0))
    }
    if isOfOtherSet {
      throw .refused(
        ChangeError(.datasetChanged, "`tag` is of another data set than the server has now", path: "tag"))
    }
    guard let stored else { return try begin(change, in: collection) }
    return try apply(change, to: stored, in: collection)
  }

  /// The reason why a change has no result.
  enum ChangeFailure: Error {
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
  struct Stored {
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
    let base = base(of: change, on: stored.record)
    if base != .other, change.operation == .delete, change.erases {
      if base == .number, !hasPulled(stored.record) { decide(change.name, for: nil, over: stored, rule: "version") }
      return try applied(bury(stored, change.name, in: collection))
    }
    if EncodedFields(fields).utf8 == stored.record.fields.utf8 { return .applied(isChanged: false, version) }
    guard base != .other else { return try judge(fields, change, against: stored, in: collection) }
    guard transaction.push.decider == .server else {
      return try applied(put(fields, change.name, over: stored, in: collection))
    }
    if base == .number, isUnseen(stored, under: fields, in: collection) {
      decide(change.name, for: fields, over: stored, rule: "version")
    }
    let lifted = DocumentLift(collection).lifted(fields, over: stored.fields)
    return try applied(put(lifted, change.name, over: stored, in: collection))
  }

  // MARK: Writing

  var server: Author {
    Author(userRecordName: transaction.author.userRecordName, deviceID: DocumentServer.deviceID)
  }

  func applied(_ version: ChangeResult.Version) -> ChangeResult.Outcome { .applied(isChanged: true, version) }

  func record(
    _ name: Name, _ type: Name, _ fields: Fields, _ modified: Authorship, over before: StoredRecord?
  ) -> StoredRecord {
    StoredRecord(
      recordName: name, recordType: type, fields: EncodedFields(fields), sequence: 0,
      created: before?.created ?? modified, modified: modified, parent: nil, references: [])
  }

  mutating func put(
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
}

extension Need {
  /// Whether it is content of a zone, and not a header or a database.
  fileprivate var isOfContent: Bool {
    switch self {
    case .records, .references, .dependents, .schema, .assets, .feed, .matches, .sequence: true
    case .database, .zones, .zone: false
    }
  }
}

extension ZoneOverlay {
  /// Saves a record, and adds those of its fields to the schema of its type that are new there.
  @discardableResult
  mutating func put(
    _ record: StoredRecord, defining fields: Fields
  ) throws(EvaluationFailure) -> StoredRecord {
    let known = try schema(of: record.recordType)
    let new = fields.sorted.filter { field in !known.contains { $0.field == field.name } }
    define(new.map { FieldDefinition(recordType: record.recordType, field: $0.name, type: $0.value.type) })
    return try put(record)
  }
}
