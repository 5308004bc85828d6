import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// A request for rows, with everything besides the zones that determines its answer.
struct RowTransaction: ZoneTransaction {
  let app: TableApp
  /// The request. Rows to write have keys, and name no column that the table does not have.
  var request: RowRequest
  let demands: RowDemands
  /// The accounts whose rows are read or changed, in ascending order. A write of an account has that one.
  var accounts: [UUID]
  /// For a write the account of each row.
  var owners: [UUID] = []
  /// The records that belong to other accounts, among those that a write names.
  var foreign: Set<Name> = []
  let now: WallTime
  let limits: RowLimits

  /// The answer of a transaction.
  struct Answer: Hashable, Sendable {
    var response: RowResponse
    /// The changes in tables that make events, by account.
    var changes: [AccountChanges] = []
  }

  func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    do {
      switch request {
      case .read(let name, let query, isHead: _):
        let reading = RowReading(app: app, table: try table(name), query: query, limits: limits)
        let result = try reading.result(of: accounts, demands, reading: &reader)
        return TransactionOutcome(TransactionAnswer(Answer(response: .done(result)), size: result.rows.size))
      case .write, .update, .delete:
        var writing = RowWriting(transaction: self)
        return try writing.outcome(reading: &reader, using: &generator)
      }
    } catch {
      switch error {
      case .evaluation(let failure): throw failure
      case .refused(var error):
        if accounts.count == 1 {
          let zone = ZoneKey(database: app.database(of: accounts[0]), zoneName: app.zone(of: request.table))
          error.feed = try reader.zone(zone).map { RowFeed($0) }
        }
        return TransactionOutcome(TransactionAnswer(Answer(response: .refused(error)), size: error.message.utf8.count))
      }
    }
  }

  /// The table of that name.
  func table(_ name: Name) throws(RowFailure) -> Table {
    guard let table = OwnTable(name)?.table ?? app.schema.table(name) else {
      throw .refused(.unknownTable(name))
    }
    return table
  }

  /// A query of one account may read all of its rows.
  var mayTakeLong: Bool { if case .read = request { accounts.count == 1 } else { false } }

  // MARK: Needs

  var likelyNeeds: [Need] {
    let rowsByAccount = Dictionary(grouping: owners.indices, by: { owners[$0] })
    return accounts.flatMap { account -> [Need] in
      let database = app.database(of: account)
      let zone = ZoneKey(database: database, zoneName: app.zone(of: request.table))
      switch request {
      case .read(let name, let query, isHead: _): return [.zone(zone)] + needs(of: query, in: name, account)
      case .write(let name, let write):
        let rows = (rowsByAccount[account] ?? []).map { write.rows[$0] }
        return places(account) + needs(of: rows, in: name, zone)
      case .update(let name, let content, let query):
        return places(account) + keys(of: query, in: name, zone) + needs(of: [content], in: name, zone)
      case .delete(let name, let query): return places(account) + keys(of: query, in: name, zone)
      }
    }
  }

  /// The headers and the database that a change needs.
  private func places(_ account: UUID) -> [Need] {
    let database = app.database(of: account)
    let zones = [app.zone, TableApp.journal].map { Need.zone(ZoneKey(database: database, zoneName: $0)) }
    return [.database(database)] + zones
  }

  private func needs(of query: RowQuery, in name: Name, _ account: UUID) -> [Need] {
    guard let table = OwnTable(name)?.table ?? app.schema.table(name) else { return [] }
    return RowReading(app: app, table: table, query: query, limits: limits)
      .likelyNeeds(of: account, isCounted: demands.countsRows || demands.isSingle)
  }

  /// The rows that a change finds by their keys.
  private func keys(of query: RowQuery, in name: Name, _ zone: ZoneKey) -> [Need] {
    guard let table = app.schema.table(name), case .keys(let keys) = query.plan(for: table) else { return [] }
    return [.records(keys.map { $0.recordName(in: name) }, in: zone)]
  }

  /// The rows to write, and those to which they refer.
  private func needs(of rows: [RowContent], in name: Name, _ zone: ZoneKey) -> [Need] {
    guard let table = app.schema.table(name) else { return [] }
    var names: Set<Name> = []
    // A deletion is also one of rows of other tables.
    let changesOthers = rows.contains { $0[.deletedAt] != nil }
    let types = changesOthers ? app.schema.tables.map(\.name) : [name]
    for row in rows {
      if let key = row.key(of: table) { names.insert(key.recordName(in: name)) }
      for column in table.columns {
        guard let target = column.foreignKey?.table, let id = row[column.name]?.uuid else { continue }
        names.insert(RowKey([id]).recordName(in: target))
      }
    }
    return [.records(names.sorted(), in: zone), .schema(of: types, in: zone)]
  }
}
