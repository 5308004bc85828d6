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
    case .lookup(let lookup): needs(of: lookup.names[lookup.start...].prefix(Self.readingStep))
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
    case .lookup(let lookup): return .found(try found(lookup, &reader))
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
    guard header.knows(cursor.incarnation), header.covers(cursor.position) else {
      var error = DocumentError(
        .datasetChanged, "the cursor is of another data set than the server has now; begin with /sync/full")
      error.ending = header.ending(of: cursor.incarnation)
      throw .refused(error)
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
    guard first > 0 else { return FeedPage(page: RecordPage(), position: position, moreComing: false) }
    var visible = page.prefix(first)
    visible.moreComing = false
    return visible
  }

  // MARK: Changes

  /// The rows of a page of changes, in the order of the feed.
  private func pages(
    of pull: DocumentPull, after position: Int64, _ reader: inout NotingReader
  ) throws(DocumentFailure) -> [FeedPage] {
    let feed = pull.cursor.feed
    guard position == 0, let since = pull.cursor.since else {
      return [try rows(of: feed, after: position, limit: pull.limit, &reader)]
    }
    // A client without a cursor goes on with the time of the last row. So the page goes beyond the time that it has, and
    // does not end between two rows of one time.
    let content = reader.content(of: key(feed))
    let before = since.advanced(byMilliseconds: -Self.clockTolerance - 1)
    let start = try DocumentFailure.catching { () throws(EvaluationFailure) in try content.sequence(through: before) }
    var page = try rows(of: feed, after: start, limit: pull.limit, &reader)
    if page.moreComing, let last = page.page.rows.last?.modifiedAt, last <= since {
      // What the client has is left out, but for the rows with the very time that it has.
      let known = since.advanced(byMilliseconds: -1)
      let start = try DocumentFailure.catching { () throws(EvaluationFailure) in try content.sequence(through: known) }
      page = try rows(of: feed, after: start, limit: pull.limit, &reader)
    }
    var pages = [page]
    while let last = pages.last, last.moreComing, let time = last.page.rows.last?.modifiedAt {
      let next = try rows(of: feed, after: last.position, limit: pull.limit, &reader)
      let end = time <= since ? nil : next.page.rows.firstIndex { $0.modifiedAt != time }
      if end != 0 { pages.append(end.map { next.prefix($0) } ?? next) }
      if end != nil { break }
    }
    return pages
  }

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
    let isLost = pull.acknowledged.contains { $0.dataset == header.dataset && !header.covers($0.sequence) }
    guard !isLost else { throw .refused(.lostChanges) }
    let pages = try pages(of: pull, after: start, &reader)
    var reading = DocumentRows(app: app, cursor: cursor, user: user, dataset: header.dataset, kept: kept)
    let earliest = cursor.since?.advanced(byMilliseconds: -Self.clockTolerance)
    var entries: [PullAnswer.Entry] = []
    for page in pages.map(\.page) {
      for row in page.rows where earliest.map({ row.modifiedAt >= $0 }) ?? true {
        if let entry = reading.entry(row, of: page) { entries.append(entry) }
      }
    }
    written = reading.written
    let hasMore = pages.last?.moreComing ?? false
    let isAtEnd = !hasMore && isVisible(header.lastCommitAt)
    cursor.incarnation = header.incarnation
    cursor.position = isAtEnd ? header.sequence : pages.last?.position ?? start
    let shown = min(header.lastCommitAt, now.advanced(byMilliseconds: -visibleDelay))
    let at = isAtEnd ? header.lastCommitAt : pages.last?.page.rows.last?.modifiedAt ?? shown
    return PullAnswer(entries, at: at, hasMore: hasMore, cursor: cursor)
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

  /// The number of named documents that are read at once.
  private static let readingStep = 25

  private func needs(of names: ArraySlice<DocumentName>) -> [Need] {
    DocumentFeed.allCases.flatMap { feed -> [Need] in
      let records = names.filter { $0.feed == feed }.map(\.recordName)
      return records.isEmpty ? [] : [.zone(key(feed)), .records(records, in: key(feed))]
    }
  }

  private func found(
    _ lookup: DocumentLookup, _ reader: inout NotingReader
  ) throws(DocumentFailure) -> LookupAnswer {
    var datasets: [DocumentFeed: UInt64] = [:]
    var answer = LookupAnswer([], missing: [], at: now)
    for feed in DocumentFeed.allCases where lookup.names.contains(where: { $0.feed == feed }) {
      guard let header = try header(of: feed, &reader) else { continue }
      answer.at = datasets.isEmpty ? header.lastCommitAt : max(answer.at, header.lastCommitAt)
      datasets[feed] = header.dataset
    }
    let start = answer
    return try DocumentFailure.catching { () throws(EvaluationFailure) -> LookupAnswer in
      var answer = start
      let read = try records(of: lookup, in: datasets, &reader)
      for (name, record) in zip(lookup.names[lookup.start...], read.records) {
        if let record, let dataset = datasets[name.feed],
          let document = try app.document(record, name, of: user, in: dataset)
        {
          answer.documents.append(document)
        } else {
          answer.missing.append(name)
        }
      }
      answer.next = read.next
      return answer
    }
  }

  /// The records of names, as far as an answer has room for them, and the place of the first name behind them. There is always
  /// room for one.
  private func records(
    of lookup: DocumentLookup, in datasets: [DocumentFeed: UInt64], _ reader: inout NotingReader
  ) throws(EvaluationFailure) -> (records: [StoredRecord?], next: Int?) {
    var records: [StoredRecord?] = []
    var size = 0
    for place in lookup.start..<lookup.names.count {
      let name = lookup.names[place]
      if (place - lookup.start) % Self.readingStep == 0 {
        let step = lookup.names[place...].prefix(Self.readingStep).filter { datasets[$0.feed] != nil }
        for feed in DocumentFeed.allCases where datasets[feed] != nil {
          let records = step.filter { $0.feed == feed }.map(\.recordName)
          let content = reader.content(of: key(feed))
          try content.require([.records(records, in: content.key)])
        }
      }
      guard datasets[name.feed] != nil else {
        records.append(nil)
        continue
      }
      let content = reader.content(of: key(name.feed))
      let record = try content.record(name.recordName)
      size += record?.fields.utf8.count ?? 0
      guard size <= AnswerSize.limit / 4 || records.allSatisfy({ $0 == nil }) else { return (records, place) }
      records.append(record)
    }
    return (records, nil)
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
      if let state = change.state { feeds.append(StatusAnswer.Feed(feed, state, deletedAt: change.deletedAt)) }
      position.feeds[feed] = change.known
    }
    // A client that lost its place begins anew with the next request. It knows by then which feeds are gone: otherwise
    // every answer would report their loss and send the client to the beginning again.
    let isReset = feeds.contains { $0.state == .reset }
    if isReset { position.feeds = position.feeds.filter { $0.value.sequence == nil } }
    return StatusAnswer(of: user, feeds, hasMore: isReset, position: position, at: max(at, now))
  }
}

extension FeedPage {
  /// The first rows of the page, at least one.
  fileprivate func prefix(_ count: Int) -> FeedPage {
    let first = RecordPage(bytes: page.bytes, rows: Array(page.rows[..<count]), authors: page.authors)
    let last = first.rows.last.map { DocumentRows.sequence($0, of: first) }
    return FeedPage(page: first, position: last ?? position, moreComing: true)
  }
}

extension DocumentError {
  /// The error for a cursor that is older than what is still known of purged documents.
  package static let expiredCursor = DocumentError(
    .cursorExpired, "the cursor is older than what is still known of purged documents; begin with /sync/full")
  /// The error for a cursor of a client whose confirmed changes the data set lost.
  fileprivate static let lostChanges = DocumentError(
    .datasetChanged, "the data set lost changes that `acknowledged` names; begin with /sync/full")
  /// The error for a cursor if there is no data set.
  fileprivate static let lostDataset = DocumentError(
    .datasetChanged, "the cursor is of a data set that the server does not have; begin with /sync/full")
}
