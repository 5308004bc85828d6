import ZoneKitRecords
import ZoneKitTables

/// Reads one page of a zone's feed: the rows of its tables with stamps above the cursors, table after table.
///
/// All pages of a round end at the same stamp, the newest one at its beginning. So a row that changes during the round
/// is in the next one, and no row comes without the rows that were stored with it.
struct FeedReading: ExchangePart {
  typealias Step = ExchangeStep<RowRequest, Result<ZoneChangesResult, CloudError>>

  private(set) var step: Step
  private let query: ZoneChangesQuery
  private let context: RowContext
  private var token: TableToken
  /// The tables to read; the first one is asked for.
  private var tables: ArraySlice<Table>
  private var changes: [RecordChange] = []
  /// The number of rows so far. It limits the page, also where a row makes no record.
  private var count = 0

  /// Begins to read the page after the query's token.
  init(_ query: ZoneChangesQuery, _ context: RowContext) {
    self.query = query
    self.context = context
    let known = query.token?.unlessEmpty
    let position = known.map { TableToken($0) } ?? TableToken()
    token = position ?? TableToken()
    tables = []
    step = .failed(CloudError(.zoneNotFound, ""))
    guard context.zones.contains(where: { $0.zoneName == query.zoneID.zoneName }) else {
      let error = CloudError(.zoneNotFound, "a table server has no zone \(query.zoneID.zoneName)")
      step = .page(.failed(query.zoneID, error))
      return
    }
    guard position != nil else {
      step = expired("the token is not from a table server", isAfterLoss: false)
      return
    }
    tables = allTables[...]
    if let first = token.table {
      // A round that has begun is finished with all tables before a hint counts.
      tables = allTables.drop { $0.name != first }
    } else if let types = query.recordTypes, !isJournal {
      tables = allTables.filter { types.contains($0.name) || OwnTable($0.name) == .deletions }[...]
    }
    askNext()
  }

  /// The stamps of the device's own writes that it has not read since.
  private var acknowledged: [WallTime] { query.acknowledged.compactMap(\.stamp) }

  private var isJournal: Bool { query.zoneID.zoneName == TableApp.journal }

  /// The tables of the zone, in the order in which they are read.
  private var allTables: [Table] {
    isJournal ? [OwnTable.conflicts.table] : context.app.schema.tables + [OwnTable.deletions.table]
  }

  // MARK: Asking

  /// Asks for the rows of the next table, or ends the page if there is none.
  private mutating func askNext() {
    guard let table = tables.first, table.name != OwnTable.deletions.table.name || token.incarnation != nil else {
      return endRound()
    }
    var filters: [RowFilter] = []
    // A request without a condition on the stamp would not be one for a part of the feed.
    let after = token.cursors[table.name] ?? WallTime(milliseconds: 0)
    filters.append(.compare(.updatedAt, .greater, .timestamp(after)))
    if let until = token.until { filters.append(.compare(.updatedAt, .lessOrEqual, .timestamp(until))) }
    step = .ask(
      .read(
        table.name,
        RowQuery(
          filters: filters, order: ([.updatedAt] + table.key).map { RowQuery.Order($0) }, limit: query.limit - count,
          acknowledged: acknowledged),
        isHead: false))
  }

  /// Ends the page because all tables are read. What was removed up to the end of the round is known, also if it was
  /// nothing.
  private mutating func endRound() {
    if !isJournal, let until = token.until { token.raise(OwnTable.deletions.table.name, to: until) }
    token.table = nil
    token.until = nil
    end(moreComing: false)
  }

  private mutating func end(moreComing: Bool) {
    step = .page(
      .changes(
        ZoneChanges(
          zoneID: query.zoneID, page: RecordPage(changes), token: token.changeToken, moreComing: moreComing)))
  }

  // MARK: Answers

  /// The outcome of the request arrived.
  mutating func received(_ outcome: RowOutcome) {
    guard let table = tables.first else { return }
    switch outcome {
    case .done(let result):
      do throws(CloudError) {
        try take(result, of: table)
      } catch {
        step = error.code == .changeTokenExpired ? .page(.failed(query.zoneID, error)) : .failed(error)
      }
    case .refused(let refusal) where isMissing(refusal, table): endRound()
    case .refused(let refusal): step = .failed(CloudError(refusal, about: "\(table.name)"))
    case .unanswered(let missing): step = .failed(CloudError(missing))
    }
  }

  /// Whether the service has no such table of its own. Other services than this product's have none.
  private func isMissing(_ refusal: ServiceRefusal, _ table: Table) -> Bool {
    refusal.status == 404 && OwnTable(table.name) != nil
  }

  private mutating func take(_ result: RowResult, of table: Table) throws(CloudError) {
    try check(result.feed)
    if let feed = result.feed {
      token.incarnation = feed.incarnation
      if token.until == nil { token.until = feed.newest }
    }
    let rows = try context.rows(result.rows, of: table)
    for row in rows {
      if let stamp = row[.updatedAt, table].time { token.raise(table.name, to: stamp) }
      if let change = change(row, of: table) { changes.append(change) }
    }
    count += rows.count
    guard count < query.limit else {
      token.table = table.name
      return end(moreComing: true)
    }
    // A service may send fewer rows than it was asked for.
    if rows.count < RowContext.leastAnswer { tables = tables.dropFirst() }
    askNext()
  }

  private func change(_ row: Row, of table: Table) -> RecordChange? {
    switch OwnTable(table.name) {
    case .deletions: context.deletion(row)
    case .conflicts: context.conflict(row).map { .saved($0) }
    case .publications, nil: context.record(row, of: table).map { .saved($0) }
    }
  }

  // MARK: Positions that mean nothing any more

  /// Throws if the position belongs to another life of the zone, is ahead of it, or is older than what is known of
  /// deletions.
  private func check(_ feed: RowFeed?) throws(CloudError) {
    guard let incarnation = token.incarnation else { return }
    guard let feed else { throw expiry("the zone is not there any more", isAfterLoss: true) }
    guard feed.incarnation == incarnation else {
      let life = feed.earlier.last { $0.incarnation == incarnation }
      var error = expiry("the zone has begun anew", isAfterLoss: life == nil)
      error.ending = life?.ending
      throw error
    }
    if let newest = (token.cursors.values + acknowledged).max(), feed.newest < newest {
      throw expiry(
        "the newest stamp is \(feed.newest.iso8601), and \(newest.iso8601) was received", isAfterLoss: true)
    }
    let known = token.cursors[OwnTable.deletions.table.name] ?? token.until
    if !isJournal, let known, feed.horizon > known {
      throw expiry("deletions up to \(feed.horizon.iso8601) are forgotten", isAfterLoss: false)
    }
  }

  private func expiry(_ reason: String, isAfterLoss: Bool) -> CloudError {
    var error = CloudError(.changeTokenExpired, "\(query.zoneID.zoneName): \(reason)")
    error.isAfterLoss = isAfterLoss
    return error
  }

  private func expired(_ reason: String, isAfterLoss: Bool) -> Step {
    .page(.failed(query.zoneID, expiry(reason, isAfterLoss: isAfterLoss)))
  }
}

extension TableToken {
  /// Raises the cursor of a table. It never falls.
  fileprivate mutating func raise(_ table: Name, to stamp: WallTime) {
    cursors[table] = max(cursors[table] ?? stamp, stamp)
  }
}
