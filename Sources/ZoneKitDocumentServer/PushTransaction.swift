import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

/// Changes of documents that a client sends. They are worked out in their order, and each has a result of its own.
struct PushTransaction: ZoneTransaction {
  let app: DocumentApp
  let push: DocumentPush
  /// The feed of all changes.
  let feed: DocumentFeed
  let database: DatabaseID
  let author: Author
  /// The versions with which clients were asked to merge before.
  let asked: AskedMerges
  let now: WallTime

  /// The zone of a feed.
  func key(_ feed: DocumentFeed) -> ZoneKey { ZoneKey(database: database, zoneName: app.zone(of: feed)) }

  var likelyNeeds: [Need] {
    let zones = DocumentFeed.allCases.map { Need.zone(key($0)) }
    let names = push.changes.map(\.name.recordName) + sums.map { DocumentName($0, $1).recordName }.sorted()
    return [.database(database)] + zones
      + (names.isEmpty ? [] : [.records(names, in: key(feed)), .schema(of: recordTypes, in: key(feed))])
  }

  private var recordTypes: [Name] {
    Set(push.changes.compactMap { app.schema.collection($0.name.collection)?.recordType } + sums.map(\.collection))
      .sorted()
  }

  /// The days whose sums the changes make anew, as far as the changes name them. Without them a change would be worked out
  /// once more after each reading of what it lacks.
  private var sums: [(collection: Name, day: String)] {
    guard let summary = app.schema.summary else { return [] }
    let days = push.changes.filter { $0.name.collection == summary.source }
      .compactMap { $0.data?.json[summary.day.text]?.string }
    return Set(days).map { (summary.collection, $0) }
  }

  func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    if push.changes.isEmpty { return try begin(reading: &reader, using: &generator) }
    if let error = try reader.zone(key(feed))?.refusal { return TransactionOutcome(.refused(error)) }
    var writing = try DocumentWriting(self, reading: &reader, using: &generator)
    var results: [ChangeResult] = []
    for change in push.changes {
      results.append(ChangeResult(of: change, try writing.outcome(of: change)))
    }
    try writing.writeSummaries()
    try writing.writeJournal()
    // The sender does not know the sums that its change made.
    return TransactionOutcome(
      .pushed(PushAnswer(results, at: writing.stamp)), asking: writing.asked, changing: writing.changedZones,
      announcement: writing.hasChangedSums ? .all : .others)
  }

  /// Makes sure that the data set exists, also after it was deleted.
  private func begin(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    var begun: [ZoneOverlay] = []
    for feed in DocumentFeed.allCases {
      if let header = try reader.zone(key(feed)), !header.isDeleted { continue }
      begun.append(try ZoneOverlay(of: key(feed), at: now, reading: &reader, using: &generator))
    }
    return TransactionOutcome(.pushed(PushAnswer([], at: now)), changing: begun)
  }
}
