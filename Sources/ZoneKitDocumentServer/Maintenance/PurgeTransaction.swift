import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

/// The purge of one account's documents and conflicts. Tombstones are counted, and forgotten by
/// `DocumentServer.forgettings`.
struct PurgeTransaction: ZoneTransaction {
  let app: DocumentApp
  let purge: DocumentPurge
  let database: DatabaseID
  let now: WallTime

  private func key(_ feed: DocumentFeed) -> ZoneKey { ZoneKey(database: database, zoneName: app.zone(of: feed)) }

  var likelyNeeds: [Need] { [.database(database)] + DocumentFeed.allCases.map { .zone(key($0)) } }

  func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    var report = DocumentPurgeReport()
    var changed: [ZoneOverlay] = []
    for feed in DocumentFeed.allCases {
      guard let header = try reader.zone(key(feed)), !header.isDeleted else { continue }
      let whole = FeedQuery(position: 0, isReversed: false, limit: .max, recordTypes: nil)
      let page = try reader.content(of: key(feed)).feed(whole).page
      report.tombstones += oldTombstones(in: page)
      let doomed = doomed(in: page, of: feed, header)
      switch feed {
      case .documents: report.documents = doomed.count
      case .conflicts: report.conflicts = doomed.count
      }
      if purge.isDryRun || doomed.isEmpty { continue }
      changed.append(try zone(of: feed, without: doomed, reading: &reader, using: &generator))
    }
    return TransactionOutcome(TransactionAnswer(report, size: 0), changing: changed)
  }

  /// The number of tombstones that are forgotten: those up to the last one that is old enough.
  private func oldTombstones(in page: RecordPage) -> Int {
    let tombstones = page.rows.filter(\.isDeleted)
    return tombstones.lastIndex { $0.modifiedAt < purge.tombstonesBefore }.map { $0 + 1 } ?? 0
  }

  /// The names of the records that become tombstones. Records that are no documents of the app stay.
  private func doomed(in page: RecordPage, of feed: DocumentFeed, _ header: ZoneHeader) -> [Name] {
    var reading = DocumentRows(
      app: app, cursor: DocumentCursor(startOf: feed, .changes), user: database.user, dataset: header.dataset,
      kept: nil)
    return page.rows.compactMap { row in
      guard case .document(let document)? = reading.entry(row, of: page) else { return nil }
      let isDoomed =
        switch feed {
        case .documents: document.isDeleted && document.committedAt < purge.deletedBefore
        case .conflicts: document.committedAt < purge.conflictsBefore
        }
      return isDoomed ? document.name.recordName : nil
    }
  }

  /// A feed's zone in which those records are tombstones. Their versions stay.
  private func zone(
    of feed: DocumentFeed, without names: [Name], reading reader: inout NotingReader,
    using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> ZoneOverlay {
    var zone = try ZoneOverlay(of: key(feed), at: now, reading: &reader, using: &generator)
    try reader.content(of: key(feed)).require([.records(names, in: key(feed))])
    let author = Author(userRecordName: UserRecordName.of(user: database.user), deviceID: DocumentServer.deviceID)
    for name in names {
      guard let record = try zone.live(name) else { continue }
      try zone.bury(record, by: Authorship(at: zone.nextStamp(at: now), author: author))
    }
    return zone
  }
}
