import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// Carries out the changes of a transaction. Either all rows are written or none.
struct RowWriting {
  let transaction: RowTransaction
  private var work: [UUID: AccountRows] = [:]
  private var rows: [Row] = []
  private var verdicts: [RowVerdict] = []

  /// The changes of that transaction.
  init(transaction: RowTransaction) { self.transaction = transaction }

  /// The answer and the changed zones.
  mutating func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(RowFailure) -> TransactionOutcome {
    let table = try transaction.table(transaction.request.table)
    for account in transaction.accounts {
      do throws(EvaluationFailure) {
        work[account] = try AccountRows(
          of: account, app: transaction.app, at: transaction.now, limits: transaction.limits, reading: &reader,
          using: &generator)
      } catch {
        throw .evaluation(error)
      }
    }
    switch transaction.request {
    case .read: break
    case .write(_, let write): try self.write(write, of: table)
    case .update(_, let content, let query): try update(query, of: table, with: content, reading: &reader)
    case .delete(_, let query): try delete(query, of: table, reading: &reader)
    }
    for account in transaction.accounts { try work[account]?.requireTargets(foreign: transaction.foreign) }
    try checkDemands()
    _ = try RowFailure.gathering(transaction.accounts) { (account) throws(RowFailure) in
      try work[account]?.writeConflicts()
    }
    return outcome
  }

  private var outcome: TransactionOutcome {
    let done = transaction.accounts.compactMap { work[$0] }
    let changed = done.flatMap(\.changed)
    var answer = RowTransaction.Answer(response: .done(result))
    answer.changes = done.filter { !$0.changes.isEmpty }.map {
      AccountChanges(account: $0.account, changes: $0.changes)
    }
    let size = RowSet.rows(rows).size
    return TransactionOutcome(TransactionAnswer(answer, size: size), changing: changed, isReadByType: true)
  }

  private var result: RowResult {
    let header = transaction.accounts.count == 1 ? work[transaction.accounts[0]]?.zone.header : nil
    return RowResult(.rows(rows), verdicts: verdicts, feed: header.map { RowFeed($0) })
  }

  private func checkDemands() throws(RowFailure) {
    if transaction.demands.isSingle, rows.count != 1 { throw .refused(.notOne(rows.count)) }
    if let limit = transaction.demands.rowLimit, rows.count > limit {
      throw .refused(
        RowError(
          .tooManyRows, "Query result exceeds max-affected preference constraint",
          details: "The query affects \(rows.count) rows"))
    }
  }

  // MARK: Inserting and merging

  private mutating func write(_ write: RowWrite, of table: Table) throws(RowFailure) {
    var offers: [UUID: [(content: RowContent, stored: AccountRows.Stored?)]] = [:]
    for (content, account) in zip(write.rows, transaction.owners) {
      let key = content.key(of: table)
      let stored: AccountRows.Stored? = if let key { try self.stored(key, of: table, for: account) } else { nil }
      offers[account, default: []].append((content, stored))
    }
    _ = try RowFailure.gathering(transaction.accounts) { (account) throws(RowFailure) in
      try work[account]?.require(for: offers[account] ?? [], of: table)
    }
    for (content, account) in zip(write.rows, transaction.owners) {
      try self.write(content, of: table, for: account, resolution: write.resolution)
    }
  }

  private mutating func write(
    _ content: RowContent, of table: Table, for account: UUID, resolution: RowWrite.Resolution
  ) throws(RowFailure) {
    guard let key = content.key(of: table) else { throw .refused(.missing(table.key[0], of: table.name)) }
    let stored = try stored(key, of: table, for: account)
    if stored == nil, transaction.foreign.contains(key.recordName(in: table.name)) {
      throw .refused(.foreignRow(of: table.name, isHidden: true))
    }
    switch resolution {
    case .refuse where stored != nil: throw .refused(.duplicate(key.words(in: table), in: table.name))
    case .ignore where stored != nil: verdicts.append(.same)
    case .refuse, .ignore, .merge: try judge(content, over: stored, of: table, for: account)
    }
  }

  private func stored(
    _ key: RowKey, of table: Table, for account: UUID
  ) throws(RowFailure) -> AccountRows.Stored? {
    try RowFailure.catching { () throws(EvaluationFailure) in try work[account]?.row(key, of: table) ?? nil }
  }

  /// Lets the arbiter decide on an offered version, and carries the decision out.
  private mutating func judge(
    _ content: RowContent, over stored: AccountRows.Stored?, of table: Table, for account: UUID
  ) throws(RowFailure) {
    let arbiter = RowArbiter(table: table, now: transaction.now, stampLead: transaction.limits.stampLead)
    var applied = stored?.applied ?? AppliedChanges()
    let decision = arbiter.decision(on: content, over: stored?.row, applied: applied)
    if let revision = content.revision { applied.add(revision, hash: content.hash) }
    switch decision {
    case .insert(var row):
      row[.ownerID, table] = .uuid(account)
      row = try storable(row, of: table, for: account)
      if let row = try work[account]?.put(row, of: table, over: nil, applied: applied) { rows.append(row) }
      verdicts.append(.inserted)
    case .update(let offered, let rule):
      guard let stored else { return }
      let version = try storable(offered, of: table, for: account)
      guard !RowOrder.isContentEqual(version, stored.row, in: table) else { return leave(stored, .same) }
      guard let row = try work[account]?.put(version, of: table, over: stored, applied: applied) else { return }
      if let rule { work[account]?.log(stored.row, against: row, by: rule, of: table) }
      rows.append(row)
      verdicts.append(.updated)
    case .same, .repeated, .keep:
      guard let stored else { return }
      if case .keep(let loser, let rule) = decision {
        work[account]?.log(loser, against: stored.row, by: rule, of: table)
      }
      leave(stored, decision.verdict)
    }
  }

  /// Answers with the stored row, which stays.
  private mutating func leave(_ stored: AccountRows.Stored, _ verdict: RowVerdict) {
    rows.append(stored.row)
    verdicts.append(verdict)
  }

  private func storable(_ row: Row, of table: Table, for account: UUID) throws(RowFailure) -> Row {
    try RowFailure.catching { () throws(EvaluationFailure) in try work[account]?.storable(row, of: table) ?? row }
  }

  // MARK: Changing and removing

  private mutating func update(
    _ query: RowQuery, of table: Table, with content: RowContent, reading reader: inout NotingReader
  ) throws(RowFailure) {
    let found = try found(query, of: table, reading: &reader)
    if !content.isEmpty {
      _ = try RowFailure.gathering(found) { (account, rows) throws(RowFailure) in
        try work[account]?.require(for: rows.map { (content, $0) }, of: table)
      }
    }
    for (account, stored) in found.flatMap({ account, rows in rows.map { (account, $0) } }) {
      guard !content.isEmpty else {
        leave(stored, .same)
        continue
      }
      for column in table.key {
        guard let value = content[column], value != stored.row[column, table] else { continue }
        throw .refused(RowError(.keyChanged, "cannot change the key column \"\(column)\" of table \"\(table.name)\""))
      }
      // A row before may have changed this one.
      let key = RowKey(stored.row, of: table)
      let current = if let key { try self.stored(key, of: table, for: account) } else { stored }
      try judge(content, over: current, of: table, for: account)
    }
  }

  private mutating func delete(
    _ query: RowQuery, of table: Table, reading reader: inout NotingReader
  ) throws(RowFailure) {
    let found = try found(query, of: table, reading: &reader)
    _ = try RowFailure.gathering(found) { (account, rows) throws(RowFailure) in
      try work[account]?.requireOwned(by: rows.map(\.record.recordName))
    }
    for (account, stored) in found {
      for row in stored { try work[account]?.remove(row, of: table) }
      try work[account]?.requireUnreferred()
      rows += stored.map(\.row)
    }
  }

  /// The rows of each account that are to be changed, in the order of their keys.
  private func found(
    _ query: RowQuery, of table: Table, reading reader: inout NotingReader
  ) throws(RowFailure) -> [(account: UUID, rows: [AccountRows.Stored])] {
    let reading = RowReading(app: transaction.app, table: table, query: query, limits: transaction.limits)
    let limit = transaction.limits.changedRows
    let found = try RowFailure.gathering(transaction.accounts) { (account) throws(RowFailure) in
      let rows = try reading.found(of: account, limit: limit, reading: &reader)
      return (account, rows.sorted { $0.record.recordName < $1.record.recordName })
    }
    guard found.reduce(0, { $0 + $1.1.count }) <= limit else {
      throw .refused(.tooManyChanges(of: table.name, limit: limit))
    }
    return found
  }
}

extension RowArbiter.Decision {
  /// The word for the decision.
  package var verdict: RowVerdict {
    switch self {
    case .insert: .inserted
    case .update: .updated
    case .same: .same
    case .repeated: .repeat
    case .keep: .kept
    }
  }
}
