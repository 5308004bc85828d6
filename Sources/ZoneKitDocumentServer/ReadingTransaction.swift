import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

/// A request that reads documents.
struct ReadingTransaction: ZoneTransaction {
  let app: DocumentApp
  let request: DocumentRequest
  let database: DatabaseID
  let user: Name
  let now: WallTime
  /// The age of commits in milliseconds from which feeds show them.
  let visibleDelay: Int64
  let kept: KeptDocuments

  private func key(_ feed: DocumentFeed) -> ZoneKey { ZoneKey(database: database, zoneName: app.zone(of: feed)) }

  var likelyNeeds: [Need] {
    switch request {
    case .push: []
    case .pull(let pull): [.zone(key(pull.cursor.feed))]
    case .snapshot(let snapshot): [.zone(key(snapshot.page.feed))]
    case .lookup(let names, in: let feed): [.zone(key(feed)), .records(names.map(\.recordName), in: key(feed))]
    case .status: DocumentFeed.allCases.map { .zone(key($0)) }
    }
  }

  func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    var written: [KeptDocuments.Entry] = []
    do {
      let response = try response(reading: &reader, writing: &written)
      return TransactionOutcome(response, writing: written)
    } catch {
      switch error {
      case .refused(let error): return TransactionOutcome(.refused(error))
      case .evaluation(let failure): throw failure
      }
    }
  }

  /// The response. Documents that were not kept are added to `written`.
  private func response(
    reading reader: inout NotingReader, writing written: inout [KeptDocuments.Entry]
  ) throws(DocumentFailure) -> DocumentResponse {
    switch request {
    case .push: return .refused(DocumentError(.internal, "a push was read; this is a defect"))
    case .pull(let pull): return .pulled(try changes(pull, &reader, &written))
    case .snapshot(let snapshot): return .snapshot(try page(of: snapshot, &reader, &written))
    case .lookup(let names, in: let feed): return try found(names, in: feed, &reader)
    case .status(since: let position): return .status(try status(since: position, &reader))
    }
  }

  // MARK: Zones

  /// The header of a feed's zone; nil if there never was one. Throws if it was deleted.
  private func header(
    of feed: DocumentFeed, _ reader: inout NotingReader
  ) throws(DocumentFailure) -> ZoneHeader? {
    let key = key(feed)
    let header = try DocumentFailure.catching { () throws(EvaluationFailure) in try reader.zone(key) }
    if let error = header?.refusal { throw .refused(error) }
    return header
  }

  /// The position of a cursor in the zone. Throws if the zone does not have that place any more.
  private func position(of cursor: DocumentCursor, in header: ZoneHeader) throws(DocumentFailure) -> Int64 {
    // The start of a feed belongs to every data set.
    guard cursor.incarnation != 0 || cursor.position != 0 else { return 0 }
    guard header.knows(cursor.incarnation), cursor.position <= header.sequence else {
      throw .refused(
        DocumentError(
          .datasetChanged, "the cursor is of another data set than the server has now; begin with /sync/full"))
    }
    guard cursor.incarnation == header.incarnation || cursor.position >= header.horizon else {
      throw .refused(.expiredCursor)
    }
    return cursor.position
  }

  /// Whether feeds show a commit of that time.
  private func isVisible(_ commit: WallTime) -> Bool {
    visibleDelay <= 0 || commit.milliseconds <= now.milliseconds - visibleDelay
  }

  /// The rows of a feed behind a position, up to the first commit that is too recent, where the feed ends for now.
  private func rows(
    of feed: DocumentFeed, after position: Int64, limit: Int, _ reader: inout NotingReader
  ) throws(DocumentFailure) -> FeedPage {
    let content = reader.content(of: key(feed))
    let query = FeedQuery(
      position: position, isReversed: false, limit: limit, recordTypes: nil, byteLimit: AnswerSize.limit / 4)
    let page = try DocumentFailure.catching { () throws(EvaluationFailure) in try content.feed(query) }
    guard let first = page.page.rows.firstIndex(where: { !isVisible($0.modifiedAt) }) else { return page }
    let visible = RecordPage(
      bytes: page.page.bytes, rows: Array(page.page.rows[..<first]), authors: page.page.authors)
    let last = visible.rows.last.map { DocumentRows.sequence($0, of: visible) }
    return FeedPage(page: visible, position: last ?? position, moreComing: false)
  }

  // MARK: Changes

  /// The milliseconds before `since` of which changes are returned too, because the server's clock may have been set back.
  private static let clockTolerance: Int64 = 5 * 60_000

  private func changes(
    _ pull: DocumentPull, _ reader: inout NotingReader, _ written: inout [KeptDocuments.Entry]
  ) throws(DocumentFailure) -> PullAnswer {
    var cursor = pull.cursor
    guard let header = try header(of: cursor.feed, &reader) else {
      guard cursor.incarnation == 0 else { throw .refused(.lostDataset) }
      return PullAnswer([], at: now, hasMore: false, cursor: cursor)
    }
    let start = try position(of: cursor, in: header)
    let rows = try rows(of: cursor.feed, after: start, limit: pull.limit, &reader)
    var reading = DocumentRows(app: app, cursor: cursor, user: user, dataset: header.dataset, kept: kept)
    let earliest = cursor.since?.advanced(byMilliseconds: -Self.clockTolerance)
    var entries: [PullAnswer.Entry] = []
    for row in rows.page.rows where earliest.map({ row.modifiedAt >= $0 }) ?? true {
      if let entry = reading.entry(row, of: rows.page) { entries.append(entry) }
    }
    written = reading.written
    let isAtEnd = !rows.moreComing && isVisible(header.lastCommitAt)
    cursor.incarnation = header.incarnation
    cursor.position = isAtEnd ? header.sequence : rows.position
    let shown = min(header.lastCommitAt, now.advanced(byMilliseconds: -visibleDelay))
    let at = isAtEnd ? header.lastCommitAt : rows.page.rows.last?.modifiedAt ?? shown
    return PullAnswer(entries, at: at, hasMore: rows.moreComing, cursor: cursor)
  }

  // MARK: Snapshots

  private func page(
    of snapshot: DocumentSnapshot, _ reader: inout NotingReader, _ written: inout [KeptDocuments.Entry]
  ) throws(DocumentFailure) -> SnapshotAnswer {
    let feed = snapshot.page.feed
    var changes = DocumentCursor(startOf: feed, .changes, collections: snapshot.page.collections)
    guard let header = try header(of: feed, &reader) else {
      guard snapshot.page.incarnation == 0 else { throw .refused(.lostDataset) }
      return SnapshotAnswer([], at: now, end: 0, cursor: changes)
    }
    let start = try position(of: snapshot.page, in: header)
    if snapshot.limit == nil, header.recordCount + header.tombstoneCount > DocumentRequest.itemLimit {
      throw .refused(
        DocumentError(
          .tooLarge,
          "the feed has more than \(DocumentRequest.itemLimit) entries; ask in pages, with `limit` from 1 to "
            + "\(DocumentRequest.itemLimit)"))
    }
    var end = snapshot.page.end ?? header.sequence
    let rows = try rows(of: feed, after: start, limit: snapshot.limit ?? DocumentRequest.itemLimit, &reader)
    if !rows.moreComing, !isVisible(header.lastCommitAt) { end = min(end, rows.position) }
    var reading = DocumentRows(app: app, cursor: snapshot.page, user: user, dataset: header.dataset, kept: kept)
    var documents: [Document] = []
    for row in rows.page.rows where DocumentRows.sequence(row, of: rows.page) <= end && !row.isDeleted {
      guard case .document(let document)? = reading.entry(row, of: rows.page),
        snapshot.page.includesDeleted || !document.isDeleted
      else { continue }
      documents.append(document)
    }
    written = reading.written
    // What is purged while the pages are read may be in none of them, and nobody would learn of it. So the places that
    // follow have the incarnation of the first page.
    let incarnation = snapshot.page.incarnation == 0 ? header.incarnation : snapshot.page.incarnation
    (changes.incarnation, changes.position) = (incarnation, end)
    guard rows.moreComing, rows.position < end else {
      return SnapshotAnswer(documents, at: header.lastCommitAt, end: end, cursor: changes)
    }
    var next = snapshot.page
    (next.incarnation, next.position, next.end) = (incarnation, rows.position, end)
    return SnapshotAnswer(documents, at: header.lastCommitAt, end: end, next: next)
  }

  // MARK: Named documents

  private func found(
    _ names: [DocumentName], in feed: DocumentFeed, _ reader: inout NotingReader
  ) throws(DocumentFailure) -> DocumentResponse {
    guard let header = try header(of: feed, &reader) else { return .found([], missing: names, at: now) }
    let content = reader.content(of: key(feed))
    var (found, missing): ([Document], [DocumentName]) = ([], [])
    try DocumentFailure.catching { () throws(EvaluationFailure) in
      try content.require([.records(names.map(\.recordName), in: content.key)])
      for name in names {
        let record = try content.record(name.recordName)
        if let record, let document = try app.document(record, name, of: user, in: header.dataset) {
          found.append(document)
        } else {
          missing.append(name)
        }
      }
    }
    return .found(found, missing: missing, at: header.lastCommitAt)
  }

  // MARK: Status

  private func status(
    since known: DocumentPosition?, _ reader: inout NotingReader
  ) throws(DocumentFailure) -> StatusAnswer {
    var feeds: [StatusAnswer.Feed] = []
    var position = DocumentPosition()
    var at = WallTime(milliseconds: 0)
    for feed in DocumentFeed.allCases {
      let header = try DocumentFailure.catching { [key = key(feed)] () throws(EvaluationFailure) in try reader.zone(key)
      }
      // A feed whose last commit is too recent has no news yet.
      if let header, !isVisible(header.lastCommitAt) {
        position.feeds[feed] = known?.feeds[feed]
        continue
      }
      at = max(at, header?.lastCommitAt ?? at)
      let change = FeedChange(of: header, since: known?.feeds[feed], isFirst: known == nil)
      if let state = change.state { feeds.append(StatusAnswer.Feed(feed, state)) }
      position.feeds[feed] = change.known
    }
    // A client that lost its place begins anew with the next request. It knows by then which feeds are gone: otherwise
    // every answer would report their loss and send the client to the beginning again.
    let isReset = feeds.contains { $0.state == .reset }
    if isReset { position.feeds = position.feeds.filter { $0.value.sequence == nil } }
    return StatusAnswer(of: user, feeds, hasMore: isReset, position: position, at: max(at, now))
  }
}

extension DocumentError {
  /// The error for a cursor that is older than what is still known of purged documents.
  package static let expiredCursor = DocumentError(
    .cursorExpired, "the cursor is older than what is still known of purged documents; begin with /sync/full")
  /// The error for a cursor if there is no data set.
  fileprivate static let lostDataset = DocumentError(
    .datasetChanged, "the cursor is of a data set that the server does not have; begin with /sync/full")
}
