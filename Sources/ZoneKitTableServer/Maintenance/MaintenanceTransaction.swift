import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// The maintenance of one account's rows and objects.
struct MaintenanceTransaction: ZoneTransaction {
  /// All rows of a table.
  private typealias TableRows = (table: Table, rows: [AccountRows.Stored])

  let app: TableApp
  let account: UUID
  let operation: RowMaintenance
  let now: WallTime

  /// The answer of a transaction.
  enum Answer: Hashable, Sendable {
    case done(MaintenanceReport, [RowChange])
    case refused(RowError)
  }

  var isAdministration: Bool { true }

  var likelyNeeds: [Need] {
    let database = app.database(of: account)
    let zones = [app.zone, TableApp.journal, TableApp.objects].map { ZoneKey(database: database, zoneName: $0) }
    return [.database(database)] + zones.map { .zone($0) }
  }

  func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    do throws(RowFailure) {
      return try done(reading: &reader, using: &generator)
    } catch {
      switch error {
      case .evaluation(let failure): throw failure
      case .refused(let error): return TransactionOutcome(TransactionAnswer(Answer.refused(error), size: 0))
      }
    }
  }

  private func done(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(RowFailure) -> TransactionOutcome {
    var rows: AccountRows
    var limits = RowLimits()
    limits.changedRows = .max
    do throws(EvaluationFailure) {
      rows = try AccountRows(of: account, app: app, at: now, limits: limits, reading: &reader, using: &generator)
    } catch {
      throw .evaluation(error)
    }
    let stored = try stored(reading: &reader)
    let doomed = try doomed(among: stored)
    var report = MaintenanceReport()
    report.tables = stored.map { summary($0.rows, of: $0.table, doomed) }
    var changed: [ZoneOverlay] = []
    if !isDryRun {
      try rows.requireOwned(by: doomed.sorted())
      // Rows come before those to which they refer.
      for (table, known) in stored.reversed() {
        for row in known where doomed.contains(row.record.recordName) { try rows.remove(row, of: table) }
      }
      try rows.requireUnreferred()
    }
    report.conflicts = try forgetConflicts(in: &rows, reading: &reader)
    let objects = try removedObjects(naming: stored, without: doomed, reading: &reader)
    report.objects = objects.removed.count
    if !isDryRun {
      changed = rows.changed
      if !objects.removed.isEmpty { changed.append(try bury(objects.removed, reading: &reader, using: &generator)) }
      if operation != .count, operation != .raiseHorizon { report.neededBytes = objects.needed }
    }
    let answer = Answer.done(report, rows.changes)
    return TransactionOutcome(TransactionAnswer(answer, size: 0), changing: changed, isReadByType: true)
  }

  private var isDryRun: Bool {
    switch operation {
    case .purge(_, let isDryRun), .removeAll(let isDryRun): isDryRun
    case .count, .remove, .erase, .raiseHorizon: false
    }
  }

  // MARK: Rows

  private func stored(reading reader: inout NotingReader) throws(RowFailure) -> [TableRows] {
    var stored: [TableRows] = []
    for table in app.schema.tables {
      let reading = RowReading(app: app, table: table, query: RowQuery(), limits: RowLimits())
      stored.append((table, try reading.found(of: account, reading: &reader)))
    }
    return stored
  }

  /// The names of the rows to remove.
  private func doomed(among stored: [TableRows]) throws(RowFailure) -> Set<Name> {
    switch operation {
    case .count, .raiseHorizon: return []
    case .erase, .removeAll: return Set(stored.flatMap { $0.rows.map(\.record.recordName) })
    case .remove(let names):
      let known = Set(stored.flatMap { $0.rows.map(\.record.recordName) })
      guard let unknown = names.first(where: { !known.contains($0) }) else { return Set(names) }
      throw .refused(RowError(.unknownTable, "the account has no row \(unknown)"))
    case .purge(let time, isDryRun: _):
      var doomed: Set<Name> = []
      var kept: [StoredRecord] = []
      for (table, rows) in stored {
        for row in rows {
          if let deletedAt = row.row[.deletedAt, table].time, deletedAt < time {
            doomed.insert(row.record.recordName)
          } else {
            kept.append(row.record)
          }
        }
      }
      return unreferred(doomed, by: kept, stored)
    }
  }

  /// Those names to which no row refers that is kept. A row that is kept keeps the rows to which it refers.
  private func unreferred(_ names: Set<Name>, by kept: [StoredRecord], _ stored: [TableRows]) -> Set<Name> {
    var doomed = names
    var kept = kept
    let records = Dictionary(
      stored.flatMap { $0.rows.map { ($0.record.recordName, $0.record) } }, uniquingKeysWith: { first, _ in first })
    while let record = kept.popLast() {
      for reference in record.references where doomed.remove(reference.target) != nil {
        if let target = records[reference.target] { kept.append(target) }
      }
    }
    return doomed
  }

  private func summary(_ rows: [AccountRows.Stored], of table: Table, _ doomed: Set<Name>) -> MaintenanceReport.Rows {
    var summary = MaintenanceReport.Rows(table: table.name)
    for row in rows {
      if row.row[.deletedAt, table] == .null { summary.living += 1 } else { summary.deleted += 1 }
      if doomed.contains(row.record.recordName) { summary.removed += 1 }
      summary.newest = max(summary.newest ?? row.record.modified.at, row.record.modified.at)
    }
    return summary
  }

  // MARK: Conflicts

  /// Forgets the conflicts that are old enough. Returns their number.
  private func forgetConflicts(
    in rows: inout AccountRows, reading reader: inout NotingReader
  ) throws(RowFailure) -> Int {
    let end: WallTime
    switch operation {
    case .count, .remove, .erase, .raiseHorizon: return 0
    case .removeAll: end = WallTime(milliseconds: .max)
    case .purge: end = now.advanced(byMilliseconds: -RowMaintenance.conflictLife)
    }
    let table = OwnTable.conflicts.table
    let reading = RowReading(app: app, table: table, query: RowQuery(), limits: RowLimits())
    let old = try reading.found(of: account, reading: &reader).filter { $0.record.modified.at < end }
    if !isDryRun { for conflict in old { try rows.forget(conflict: conflict.record) } }
    return old.count
  }

  // MARK: Objects

  /// The objects to remove, and the hashes of the bytes that the others need.
  private func removedObjects(
    naming stored: [TableRows], without doomed: Set<Name>, reading reader: inout NotingReader
  ) throws(RowFailure) -> (removed: [StoredRecord], needed: Set<String>) {
    let known = try RowFailure.catching { () throws(EvaluationFailure) in
      try reader.content(of: objectKey).objects()
    }
    let isRemoved: (StoredObject) -> Bool
    switch operation {
    case .count, .remove, .erase, .raiseHorizon: isRemoved = { _ in false }
    case .removeAll: isRemoved = { _ in true }
    case .purge(let time, isDryRun: _):
      let texts = Set(
        stored.flatMap(\.rows).filter { !doomed.contains($0.record.recordName) }.flatMap {
          $0.row.values.compactMap(\.text).map { Name($0) }
        })
      isRemoved = { $0.updatedAt < time && !texts.contains(Name($0.path)) }
    }
    let removed = known.filter { isRemoved($0.object) }
    let needed = Set(known.filter { !isRemoved($0.object) }.map(\.object.content.hash))
    return (removed.map(\.record), needed)
  }

  private var objectKey: ZoneKey { ZoneKey(database: app.database(of: account), zoneName: TableApp.objects) }

  /// The zone of objects without those records.
  private func bury(
    _ records: [StoredRecord], reading reader: inout NotingReader,
    using generator: inout some RandomNumberGenerator
  ) throws(RowFailure) -> ZoneOverlay {
    do throws(EvaluationFailure) {
      var zone = try ZoneOverlay(of: objectKey, at: now, reading: &reader, using: &generator)
      let author = Author(userRecordName: UserRecordName.of(user: Name(account.text)))
      for record in records { try zone.bury(record, by: Authorship(at: zone.nextStamp(at: now), author: author)) }
      return zone
    } catch {
      throw .evaluation(error)
    }
  }
}
