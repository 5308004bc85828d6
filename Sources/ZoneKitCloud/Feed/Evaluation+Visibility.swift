import ZoneKitRecords

/// What feeds hide: commits that are too recent, and tombstones that a caller does not get.
extension Evaluation {
  /// Whether feeds show a commit of that time.
  func isVisible(_ commit: WallTime) -> Bool {
    limits.visibleDelay <= 0 || commit.milliseconds <= now.milliseconds - limits.visibleDelay
  }

  /// The page up to the first commit that is too recent, where the feed ends for now. In the reverse direction such
  /// commits are skipped.
  func visible(_ page: FeedPage, of query: FeedQuery, in zone: ZoneContent) throws(EvaluationFailure) -> FeedPage {
    try zone.require([.records(page.page.rows.map { Name(page.page.text($0.name)) }, in: zone.key)])
    var rows: [RecordPage.Row] = []
    var position = query.position
    for row in page.page.rows {
      guard let record = try record(row, of: page.page, in: zone) else { continue }
      if isVisible(record.modified.at) {
        rows.append(row)
        position = record.sequence
      } else if !query.isReversed {
        let visible = RecordPage(bytes: page.page.bytes, rows: rows, authors: page.page.authors)
        return FeedPage(page: visible, position: position, moreComing: false)
      }
    }
    let visible = RecordPage(bytes: page.page.bytes, rows: rows, authors: page.page.authors)
    return FeedPage(page: visible, position: page.position, moreComing: page.moreComing)
  }

  /// The page for a device that continues a fetch from `start`. A fetch without a token does not get the tombstones
  /// from before it began, if the limits demand that, except those from after a loss. Reading in reverse always starts
  /// without a token. A participant of a share never gets them.
  func withoutForeignTombstones(
    _ page: RecordPage, since start: FeedToken, _ header: ZoneHeader, _ access: ZoneAccess, in zone: ZoneContent
  ) throws(EvaluationFailure) -> RecordPage {
    guard limits.firstFetchTombstones != .all || !access.isOwner, start.kind != .zone else { return page }
    let tombstones = page.rows.filter(\.isDeleted).map { Name(page.text($0.name)) }
    try zone.require([.records(tombstones, in: zone.key)])
    var rows: [RecordPage.Row] = []
    for row in page.rows {
      if !row.isDeleted {
        rows.append(row)
      } else if let tombstone = try record(row, of: page, in: zone), isShown(tombstone, since: start, header) {
        rows.append(row)
      }
    }
    return RecordPage(bytes: page.bytes, rows: rows, authors: page.authors)
  }

  private func isShown(_ tombstone: StoredRecord, since start: FeedToken, _ header: ZoneHeader) -> Bool {
    if header.isDeletedAfterLoss(tombstone) { return true }
    if start.kind == .zoneFirst, tombstone.sequence > start.start { return true }
    return limits.firstFetchTombstones == .ownCreated && tombstone.created.author == Author(caller)
  }

  /// The stored record of a row. A page need not have the times and authors of tombstones.
  private func record(
    _ row: RecordPage.Row, of page: RecordPage, in zone: ZoneContent
  ) throws(EvaluationFailure) -> StoredRecord? {
    try zone.record(Name(page.text(row.name)))
  }
}
