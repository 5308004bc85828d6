import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations

/// What is done with a new row that is there already.
package enum InsertConflict: Equatable, Sendable {
  /// The statement fails.
  case fails
  /// The new row is left out; the columns by which rows are compared, or none for every key.
  case ignores([String])
  /// The row that is there gets the new values of the columns that the statement names.
  case merges([String])
  /// The row that is there gets other values, if a condition is true. Both are about the row that is there and the new one.
  case updates([String], [Int: TypedExpression], where: TypedExpression?)
}

extension RowStatements {
  /// Adds rows, each with values for some columns by their places. Returns the rows that are new or changed, in their order.
  ///
  /// `isReturning` tells whether the rows are read back, for which the role must be allowed to read them.
  package mutating func insert(
    _ rows: [[Int: Datum]], into table: PreparedTable, conflict: InsertConflict = .fails, isReturning: Bool = true
  ) throws(RelationFailure) -> [StoredRow] {
    let start = changes.count
    let arbiters = try arbiters(conflict, of: table)
    var written: [StoredRow] = []
    var merged: [(old: StoredRow, new: StoredRow)] = []
    var touched: Set<Int64> = []
    for row in rows {
      guard let fired = try fireBefore(.insert, table, new: completed(row, of: table), old: nil) else { continue }
      let values = try computed(fired, of: table)
      if let known = try conflicting(values, with: arbiters, of: table) {
        guard let row = try changes(of: known, to: values, row, conflict) else { continue }
        guard !touched.contains(known.number) else { throw .refused(.secondConflict) }
        guard let changed = try merge(row, into: known, of: table) else { continue }
        touched.insert(changed.number)
        written.append(changed)
        merged.append((known, changed))
        continue
      }
      try check(values, of: table, .insert, isReturning: isReturning)
      let new = try insert(values, into: table)
      touched.insert(new.number)
      written.append(new)
    }
    for (old, new) in merged { try follow(old, new, in: table) }
    for row in written { try checkReferences(of: row.values, in: table) }
    try fireAfter(from: start)
    return written
  }

  /// The row with the defaults of the columns that have no value.
  private mutating func completed(_ row: [Int: Datum], of table: PreparedTable) throws(RelationFailure) -> [Datum] {
    var values: [Datum] = []
    for (place, column) in table.columns.enumerated() {
      if let value = row[place] {
        if column.generated != nil { throw .refused(.valueGiven(column.name)) }
        if let identity = column.identity, !identity.allowsNumbers { throw .refused(.numberGiven(column.name)) }
        values.append(value)
      } else if column.identity != nil {
        values.append(.integer(try nextNumber(of: column, table)))
      } else {
        values.append(try defaultValue(place, of: table))
      }
    }
    return values
  }

  /// The row with the values of the columns that are computed.
  func computed(_ row: [Datum], of table: PreparedTable) throws(RelationFailure) -> [Datum] {
    var row = row
    for (place, value) in table.generated {
      row[place] = try RelationFailure.refusing { () throws(SQLFailure) in try value.value(of: row, context) }
    }
    return row
  }

  /// The value of a column of a new row that names none, unless the column counts.
  func defaultValue(_ place: Int, of table: PreparedTable) throws(RelationFailure) -> Datum {
    try table.defaults[place].map { (value) throws(RelationFailure) in try self.value(value) } ?? .null
  }

  private mutating func nextNumber(of column: CatalogueColumn, _ table: PreparedTable) throws(RelationFailure) -> Int64
  {
    let number: Int64
    do throws(StoreError) {
      number = try store.nextNumber(of: column.name, in: table.name)
    } catch {
      throw .store(error)
    }
    let limit: Int64
    switch column.type {
    case .smallint: limit = Int64(Int16.max)
    case .integer: limit = Int64(Int32.max)
    default: limit = .max
    }
    guard number <= limit else { throw .refused(.sequenceEnded(table.name.name, column.name, limit)) }
    return number
  }

  // MARK: Conflicts

  /// The keys by which new rows are compared with those that are there.
  private func arbiters(_ conflict: InsertConflict, of table: PreparedTable) throws(RelationFailure) -> [PreparedKey] {
    let columns: [String]
    switch conflict {
    case .fails: return []
    case .ignores(let names) where names.isEmpty: return table.keys
    case .ignores(let names), .merges(let names), .updates(let names, _, _): columns = names
    }
    let wanted = Set(columns.compactMap { table.index(of: $0) })
    let found = table.keys.filter { $0.condition == nil && $0.columns.map { Set($0) } == wanted }
    guard !found.isEmpty, wanted.count == columns.count else { throw .refused(.noSuchKey) }
    return found
  }

  /// The row that is there and has the same key; nil if there is none.
  private func conflicting(
    _ values: [Datum], with keys: [PreparedKey], of table: PreparedTable
  ) throws(RelationFailure) -> StoredRow? {
    for key in keys { if let row = try same(values, by: key, of: table, besides: nil) { return row } }
    return nil
  }

  /// The values that a row gets that is there already; nil if it stays as it is.
  private func changes(
    of known: StoredRow, to values: [Datum], _ row: [Int: Datum], _ conflict: InsertConflict
  ) throws(RelationFailure) -> [Int: Datum]? {
    switch conflict {
    case .fails, .ignores: return nil
    case .merges: return row
    case .updates(_, let assignments, let condition):
      let rows = [known.values, values]
      if let condition, try value(condition, in: rows) != .boolean(true) { return nil }
      var changes: [Int: Datum] = [:]
      for (place, value) in assignments { changes[place] = try self.value(value, in: rows) }
      return changes
    }
  }

  private mutating func merge(
    _ row: [Int: Datum], into known: StoredRow, of table: PreparedTable
  ) throws(RelationFailure) -> StoredRow? {
    if let using = try RelationFailure.refusing({ () throws(SQLFailure) in try security.using(.update, of: table) }),
      try !holds(using, for: known.values)
    {
      throw .refused(.forbiddenRow(table.name.name, isUsing: true))
    }
    return try update(known, row, in: table, isReturning: true)
  }
}
