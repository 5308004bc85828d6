import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// Reads the rows of a table that a query finds.
struct RowReading {
  let app: TableApp
  let table: Table
  let query: RowQuery
  let limits: RowLimits

  /// The most rows of the answer.
  private var limit: Int { min(query.limit ?? .max, limits.answeredRows) }

  /// The rows of those accounts, in the order of the query, as far as they are asked for.
  func result(
    of accounts: [UUID], _ demands: RowDemands, reading reader: inout NotingReader
  ) throws(RowFailure) -> RowResult {
    let feed = try self.feed(of: accounts, reading: &reader)
    if accounts.count == 1, !demands.countsRows, !demands.isSingle,
      let page = try page(of: accounts[0], reading: &reader)
    {
      return RowResult(.page(page, owner: accounts[0]), feed: feed)
    }
    let rows = try RowFailure.gathering(accounts) { (account) throws(RowFailure) in
      try self.rows(of: account, reading: &reader)
    }
    let sorted = query.sorted(Array(rows.joined()), of: table)
    if demands.isSingle, sorted.count != 1 { throw .refused(.notOne(sorted.count)) }
    if demands.countsRows, query.offset > sorted.count {
      throw .refused(.beyondEnd(offset: query.offset, count: sorted.count))
    }
    let shown = Array(sorted.dropFirst(query.offset).prefix(limit))
    return RowResult(.rows(shown), total: demands.countsRows ? sorted.count : nil, feed: feed)
  }

  private func key(_ account: UUID) -> ZoneKey {
    ZoneKey(database: app.database(of: account), zoneName: app.zone(of: table.name))
  }

  /// The state of the feed that the rows are part of.
  private func feed(of accounts: [UUID], reading reader: inout NotingReader) throws(RowFailure) -> RowFeed? {
    guard accounts.count == 1 else { return nil }
    return try RowFailure.catching { () throws(EvaluationFailure) in try reader.zone(key(accounts[0])) }
      .map { RowFeed($0) }
  }

  // MARK: Finding rows

  /// The rows of an account that fulfil the query, in any order.
  private func rows(of account: UUID, reading reader: inout NotingReader) throws(RowFailure) -> [Row] {
    if case .keys = plan { return try found(of: account, reading: &reader).map(\.row) }
    guard !isOfDeletions else { return try found(of: account, reading: &reader).map(\.row) }
    let content = reader.content(of: key(account))
    let page = try RowFailure.catching { () throws(EvaluationFailure) in try wholePage(in: content) }
    var rows: [Row] = []
    for entry in page.rows {
      let record = RowRecord(entry, of: page)
      let row: Row
      do {
        row = try Row.read(record, in: page.bytes, of: table, owner: account).row
      } catch {
        throw .evaluation(.unreadable(error))
      }
      if query.isFulfilled(by: row, of: table) { rows.append(row) }
    }
    return rows
  }

  /// The way to find the rows.
  private var plan: RowQuery.Plan { query.plan(for: table) }

  /// Whether the table is that of deletions, whose rows are tombstones.
  private var isOfDeletions: Bool { OwnTable(table.name) == .deletions }

  /// All rows of the table, without those before the stamps that are asked for.
  private func wholePage(in content: ZoneContent) throws(EvaluationFailure) -> RecordPage {
    var start: Int64 = 0
    if case .stamps(let after?, through: _, isExact: _) = plan { start = try content.sequence(through: after) }
    return try content.feed(feedQuery(from: start, limit: .max)).page
  }

  /// The rows of an account that fulfil the query, in any order, with their records.
  func found(of account: UUID, reading reader: inout NotingReader) throws(RowFailure) -> [AccountRows.Stored] {
    let content = reader.content(of: key(account))
    let records = try RowFailure.catching { () throws(EvaluationFailure) in try self.records(in: content) }
    var found: [AccountRows.Stored] = []
    for record in records {
      let stored = try RowFailure.catching { () throws(EvaluationFailure) in
        try AccountRows.Stored(record, of: table, owner: account)
      }
      if query.isFulfilled(by: stored.row, of: table) { found.append(stored) }
    }
    return found
  }

  /// The records among which the rows are, in any order.
  private func records(in content: ZoneContent) throws(EvaluationFailure) -> [StoredRecord] {
    let names: [Name]
    if case .keys(let keys) = plan, !isOfDeletions {
      names = keys.map { $0.recordName(in: table.name) }
    } else {
      let page = try wholePage(in: content)
      names = page.rows.map { Name(page.text($0.name)) }
    }
    try content.require([.records(names, in: content.key)])
    var records: [StoredRecord] = []
    for name in names {
      guard let record = try content.record(name), record.isDeleted == isOfDeletions else {
        continue
      }
      records.append(record)
    }
    return records
  }

  /// The part of the feed with the table's rows; for the table of deletions that with the tombstones.
  private func feedQuery(from position: Int64, limit: Int) -> FeedQuery {
    FeedQuery(
      position: position, isReversed: false, limit: limit, recordTypes: isOfDeletions ? [] : [table.name],
      hasTombstones: isOfDeletions)
  }

  /// A page of the feed, if it holds exactly the rows that are asked for; nil if they have to be sorted out.
  private func page(of account: UUID, reading reader: inout NotingReader) throws(RowFailure) -> RecordPage? {
    guard case .stamps(let after, let through, isExact: true) = plan, query.offset == 0, !isOfDeletions else {
      return nil
    }
    return try RowFailure.catching { () throws(EvaluationFailure) in
      let content = reader.content(of: key(account))
      let start = if let after { try content.sequence(through: after) } else { Int64(0) }
      let page = try content.feed(feedQuery(from: start, limit: limit)).page
      guard let through, let last = page.rows.last, last.modifiedAt > through else { return page }
      let shown = page.rows.prefix { $0.modifiedAt <= through }
      return RecordPage(bytes: page.bytes, rows: Array(shown), authors: page.authors)
    }
  }
}

extension RowFeed {
  /// The state of the feed of a zone with that header. A purge of tombstones does not begin another life of the zone.
  init(_ header: ZoneHeader) {
    self.init(
      incarnation: header.incarnation &- UInt64(bitPattern: header.purges), newest: header.lastCommitAt,
      horizon: header.horizonAt)
  }
}

extension RowSet {
  /// The approximate number of bytes of the rows.
  var size: Int {
    switch self {
    case .page(let page, owner: _): page.bytes.count
    case .rows(let rows):
      rows.reduce(0) { sum, row in row.values.reduce(sum) { $0 + 40 + ($1.text?.utf8.count ?? 0) } }
    }
  }
}
