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
    let isCounted = demands.countsRows || demands.isSingle
    if accounts.count == 1, !isCounted, let page = try page(of: accounts[0], reading: &reader) {
      return RowResult(.page(page, owner: accounts[0]), feed: feed)
    }
    if accounts.count == 1, let query = answerQuery(of: accounts[0], isCounted: isCounted) {
      let matches = try RowFailure.catching { () throws(EvaluationFailure) in
        try reader.content(of: key(accounts[0])).matches(query)
      }
      try check(matches.count, demands)
      return RowResult(
        .page(matches.page, owner: accounts[0]), total: demands.countsRows ? matches.count : nil, feed: feed)
    }
    // Of each account the first rows are enough, unless all are counted.
    let needed = isCounted ? Int.max : query.offset > .max - limit ? .max : query.offset + limit
    let rows = try RowFailure.gathering(accounts) { (account) throws(RowFailure) in
      try self.rows(of: account, first: needed, reading: &reader)
    }
    let sorted = query.sorted(Array(rows.joined()), of: table)
    try check(isCounted ? sorted.count : nil, demands)
    let shown = Array(sorted.dropFirst(query.offset).prefix(limit))
    return RowResult(.rows(shown), total: demands.countsRows ? sorted.count : nil, feed: feed)
  }

  private func check(_ count: Int?, _ demands: RowDemands) throws(RowFailure) {
    guard let count else { return }
    if demands.isSingle, count != 1 { throw .refused(.notOne(count)) }
    if demands.countsRows, query.offset > count {
      throw .refused(.beyondEnd(offset: query.offset, count: count))
    }
  }

  /// The query that finds exactly the rows of the answer; nil if they have to be sorted out.
  private func answerQuery(of account: UUID, isCounted: Bool) -> RecordQuery? {
    let translation = RecordTranslation(table: table, account: account)
    guard !isOfDeletions, !isByKey, let condition = translation.condition(.all(query.filters)),
      let order = translation.order(query.order)
    else { return nil }
    return RecordQuery(
      table.name, where: condition, order: order, offset: query.offset, limit: limit, isCounted: isCounted)
  }

  /// What the reading needs of an account, as far as it can be predicted.
  func likelyNeeds(of account: UUID, isCounted: Bool) -> [Need] {
    let zone = key(account)
    switch plan {
    case .keys(let keys) where !isOfDeletions: return [.records(keys.map { $0.recordName(in: table.name) }, in: zone)]
    case .stamps(let after, through: _, isExact: true) where query.offset == 0 && !isCounted && !isOfDeletions:
      guard let after else { return [.feed(feedQuery(from: 0, limit: limit), in: zone)] }
      return [.sequence(through: after, in: zone)]
    default: return answerQuery(of: account, isCounted: isCounted).map { [.matches($0, in: zone)] } ?? []
    }
  }

  private func key(_ account: UUID) -> ZoneKey {
    ZoneKey(database: app.database(of: account), zoneName: app.zone(of: table.name))
  }

  /// The state of the feed that the rows are part of.
  private func feed(of accounts: [UUID], reading reader: inout NotingReader) throws(RowFailure) -> RowFeed? {
    guard accounts.count == 1 else { return nil }
    let known = query.acknowledged + (query.receivedStamp(in: table).map { [$0] } ?? [])
    return try RowFailure.catching { () throws(EvaluationFailure) in try reader.zone(key(accounts[0])) }
      .map { RowFeed($0, knownBy: known) }
  }

  // MARK: Finding rows

  /// The rows of an account that fulfil the query, in any order: the first ones in the order of the query, or more.
  private func rows(
    of account: UUID, first needed: Int, reading reader: inout NotingReader
  ) throws(RowFailure) -> [Row] {
    guard !isByKey, !isOfDeletions else { return try found(of: account, reading: &reader).map(\.row) }
    return try scan(account, order: query.order, first: needed, reading: &reader) { $0 }
  }

  /// Calls `take` with the rows of an account that fulfil the query, in that order, until there are `needed` of them or
  /// more. The store finds the rows as far as it knows the conditions.
  private func scan<Result>(
    _ account: UUID, order: [RowQuery.Order], first needed: Int, reading reader: inout NotingReader,
    take: (Row) -> Result
  ) throws(RowFailure) -> [Result] {
    let translation = RecordTranslation(table: table, account: account)
    let rest = query.filters.filter { translation.condition($0) == nil }
    let known = query.filters.compactMap { translation.condition($0) ?? translation.necessaryCondition($0) }
    let sorted = translation.order(order)
    let needed = sorted == nil ? .max : needed
    var records = RecordQuery(table.name, where: .all(known), order: sorted ?? [])
    records.limit = rest.isEmpty ? needed : min(max(Self.firstPage, needed), needed == .max ? .max : Self.largestPage)
    let content = reader.content(of: key(account))
    var found: [Result] = []
    var bytes = 0
    while true {
      let matches = try RowFailure.catching { () throws(EvaluationFailure) in try content.part(of: records) }
      for entry in matches.page.rows {
        let row: Row
        do {
          row = try Row.read(RowRecord(entry, of: matches.page), in: matches.page.bytes, of: table, owner: account).row
        } catch {
          throw .evaluation(.unreadable(error))
        }
        guard rest.allSatisfy({ $0.isFulfilled(by: row, of: table) }) else { continue }
        found.append(take(row))
        bytes += entry.fields.count
        guard bytes <= AnswerSize.reading else { throw .evaluation(.excessive(.bytes)) }
      }
      guard matches.moreComing, found.count < needed else { return found }
      records.offset += matches.page.count
      records.limit = min(16 * records.limit, Self.largestPage)
    }
  }

  /// The rows of the first and of the largest page in which rows are tested.
  private static let firstPage = 256
  private static let largestPage = 65_536

  private var isByKey: Bool { if case .keys = plan { true } else { false } }

  /// The way to find the rows.
  private var plan: RowQuery.Plan { query.plan(for: table) }

  /// Whether the table is that of deletions, whose rows are tombstones.
  private var isOfDeletions: Bool { OwnTable(table.name) == .deletions }

  /// The rows of an account that fulfil the query, in any order, with their records: all of them, or more than `limit`.
  func found(
    of account: UUID, limit: Int = .max, reading reader: inout NotingReader
  ) throws(RowFailure) -> [AccountRows.Stored] {
    let content = reader.content(of: key(account))
    let names = try names(of: account, limit: limit, reading: &reader)
    var found: [AccountRows.Stored] = []
    do throws(EvaluationFailure) {
      try content.require([.records(names, in: content.key)])
      for name in names {
        guard let record = try content.record(name), record.isDeleted == isOfDeletions else { continue }
        let stored = try AccountRows.Stored(record, of: table, owner: account)
        if query.isFulfilled(by: stored.row, of: table) { found.append(stored) }
      }
    } catch {
      throw .evaluation(error)
    }
    return found
  }

  /// The names of the records among which the rows are, in any order.
  private func names(
    of account: UUID, limit: Int, reading reader: inout NotingReader
  ) throws(RowFailure) -> [Name] {
    if isOfDeletions {
      return try RowFailure.catching { () throws(EvaluationFailure) in
        try tombstones(in: reader.content(of: key(account)))
      }
    }
    if case .keys(let keys) = plan { return keys.map { $0.recordName(in: table.name) } }
    let needed = limit == .max ? limit : limit + 1
    return try scan(account, order: [], first: needed, reading: &reader) { row in
      RowKey(row, of: table)?.recordName(in: table.name)
    }.compactMap(\.self)
  }

  /// The names of all tombstones, without those before the stamps that are asked for.
  private func tombstones(in content: ZoneContent) throws(EvaluationFailure) -> [Name] {
    var start: Int64 = 0
    if case .stamps(let after?, through: _, isExact: _) = plan { start = try content.sequence(through: after) }
    let page = try content.feed(feedQuery(from: start, limit: .max)).page
    return page.rows.map { Name(page.text($0.name)) }
  }

  /// The part of the feed with the table's rows; for the table of deletions that with the tombstones.
  private func feedQuery(from position: Int64, limit: Int) -> FeedQuery {
    FeedQuery(
      position: position, isReversed: false, limit: limit, recordTypes: isOfDeletions ? [] : [table.name],
      hasTombstones: isOfDeletions, byteLimit: isOfDeletions ? .max : AnswerSize.reading)
  }

  /// A page of the feed, if it holds exactly the rows that are asked for; nil if they have to be sorted out.
  private func page(of account: UUID, reading reader: inout NotingReader) throws(RowFailure) -> RecordPage? {
    guard case .stamps(let after, let through, isExact: true) = plan, query.offset == 0, !isOfDeletions else {
      return nil
    }
    return try RowFailure.catching { () throws(EvaluationFailure) in
      let content = reader.content(of: key(account))
      let start = if let after { try content.sequence(through: after) } else { Int64(0) }
      let part = try content.feed(feedQuery(from: start, limit: limit))
      let page = part.page
      guard let through, let last = page.rows.last, last.modifiedAt > through else {
        if part.moreComing, page.count < limit { throw .excessive(.bytes) }
        return page
      }
      let shown = page.rows.prefix { $0.modifiedAt <= through }
      return RecordPage(bytes: page.bytes, rows: Array(shown), authors: page.authors)
    }
  }
}

extension RowFeed {
  /// The state of the feed of a zone with that header, for a client that has received those stamps. A purge of
  /// tombstones does not begin another life of the zone. A stamp that the zone never gave out is one of a lost life.
  init(_ header: ZoneHeader, knownBy stamps: [WallTime] = []) {
    let lost = stamps.lazy.compactMap { header.gap(at: $0) }.first
    let lives = header.lives
    self.init(
      incarnation: lives.present &- UInt64(bitPattern: lost?.numbers.end ?? 0), newest: header.lastCommitAt,
      horizon: header.horizonAt, earlier: lives.earlier.map { Life($0.incarnation, $0.ending) })
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
