import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Updates and deletions of rows that are there.
extension RowStatements {
  /// Gives rows other values for some columns by their places. Returns the changed rows, in their order.
  package mutating func update(
    _ rows: [StoredRow], _ changes: [Int: Datum], in table: PreparedTable, isReturning: Bool = true
  ) throws(RelationFailure) -> [StoredRow] {
    let start = self.changes.count
    var updated: [(old: StoredRow, new: StoredRow)] = []
    for row in rows {
      if let new = try update(row, changes, in: table, isReturning: isReturning) { updated.append((row, new)) }
    }
    for (old, new) in updated { try follow(old, new, in: table) }
    for row in updated { try checkReferences(of: row.new.values, in: table) }
    try fireAfter(from: start, changed: Set(changes.keys))
    return updated.map(\.new)
  }

  /// Whether a write states that it is older than the row that is there, so that the row stays as it is.
  private func isOlder(_ changes: [Int: Datum], than row: StoredRow, in table: PreparedTable) -> Bool {
    guard let arbiter = table.arbiter, let given = changes[arbiter], given != .null, row.values[arbiter] != .null else {
      return false
    }
    return given.order(to: row.values[arbiter]) < 0
  }

  /// Changes one row without its references. Nil if a trigger leaves it out.
  mutating func update(
    _ row: StoredRow, _ changes: [Int: Datum], in table: PreparedTable, isReturning: Bool
  ) throws(RelationFailure) -> StoredRow? {
    if isOlder(changes, than: row, in: table) { return row }
    var values = row.values
    for (place, value) in changes {
      if let identity = table.columns[place].identity, !identity.allowsNumbers {
        throw .refused(.numberChanged(table.columns[place].name))
      }
      if table.columns[place].generated != nil { throw .refused(.computedChanged(table.columns[place].name)) }
      values[place] = value
    }
    guard
      let fired = try fireBefore(.update, table, new: values, old: row.values, changed: Set(changes.keys))
    else { return nil }
    let written = try computed(fired, of: table)
    try check(written, of: table, .update, isReturning: isReturning, old: row)
    return try replace(row, with: written, in: table)
  }

  /// Removes rows.
  package mutating func delete(_ rows: [StoredRow], from table: PreparedTable) throws(RelationFailure) {
    let start = changes.count
    var removed: [StoredRow] = []
    for row in rows where try fireBefore(.delete, table, new: nil, old: row.values) != nil {
      try remove(row, from: table)
      removed.append(row)
    }
    for row in removed { try follow(row, nil, in: table) }
    try fireAfter(from: start)
  }

  // MARK: References

  /// Throws unless there is a row for each reference of a row.
  func checkReferences(of values: [Datum], in table: PreparedTable) throws(RelationFailure) {
    for reference in table.references {
      let key = reference.columns.map { values[$0] }
      // One null makes the reference one to nothing (PostgreSQL: MATCH SIMPLE).
      guard !key.contains(.null) else { continue }
      guard try row(of: reference.parent, with: reference.parentColumns, key) == nil else { continue }
      let isShown = schema.tables[reference.parent].map { showsValues(of: $0) } ?? true
      let texts = zip(reference.columns, key).map { table.columns[$0].type.text(of: $1) }
      throw .refused(
        .missingRow(
          reference.name, child: table.name.name, parent: reference.parent.name,
          isShown ? Self.pair(reference.columnNames, texts) : nil))
    }
  }

  /// Does what the references to a row demand that has changed or gone, and to those that change with it.
  mutating func follow(
    _ old: StoredRow, _ new: StoredRow?, in table: PreparedTable
  ) throws(RelationFailure) {
    var queue: [(table: PreparedTable, old: StoredRow, new: StoredRow?)] = [(table, old, new)]
    var next = 0
    while next < queue.count {
      let change = queue[next]
      next += 1
      for reference in change.table.referrers {
        let key = reference.parentColumns.map { change.old.values[$0] }
        let later = change.new.map { new in reference.parentColumns.map { new.values[$0] } }
        guard key != later, !key.contains(.null), let child = schema.tables[reference.child] else { continue }
        let search = RowSearch(child.name, where: child.condition(reference.columns, key), context)
        let rows = try store.rows(search)
        guard !rows.isEmpty else { continue }
        // Another row may have taken the key over.
        if try row(of: change.table.name, with: reference.parentColumns, key) != nil { continue }
        switch change.new == nil ? reference.onDelete : reference.onUpdate {
        case .noAction, .restrict: throw .refused(stillReferenced(reference, key, of: change.table, by: child))
        case .cascade:
          for row in rows {
            if let later {
              queue.append((child, row, try set(reference.columns, later, of: row, in: child)))
            } else if try fireBefore(.delete, child, new: nil, old: row.values) != nil {
              try remove(row, from: child)
              queue.append((child, row, nil))
            }
          }
        case .setNull:
          let nulls = reference.columns.map { _ in Datum.null }
          for row in rows { queue.append((child, row, try set(reference.columns, nulls, of: row, in: child))) }
        case .setDefault:
          var defaults: [Datum] = []
          for column in reference.columns { defaults.append(try defaultValue(column, of: child)) }
          for row in rows {
            let changed = try set(reference.columns, defaults, of: row, in: child)
            try checkReferences(of: changed.values, in: child)
            queue.append((child, row, changed))
          }
        }
      }
    }
  }

  /// Gives columns of a row other values for a reference, which no policy limits.
  private mutating func set(
    _ columns: [Int], _ values: [Datum], of row: StoredRow, in table: PreparedTable
  ) throws(RelationFailure) -> StoredRow {
    var changed = row.values
    for (column, value) in zip(columns, values) { changed[column] = value }
    if let written = try fireBefore(.update, table, new: changed, old: row.values, changed: Set(columns)) {
      changed = try computed(written, of: table)
    }
    try checkConstraints(changed, of: table, old: row)
    return try replace(row, with: changed, in: table)
  }

  private func stillReferenced(
    _ reference: PreparedReference, _ key: [Datum], of table: PreparedTable, by child: PreparedTable
  ) -> SQLFailure {
    let texts = zip(reference.parentColumns, key).map { table.columns[$0].type.text(of: $1) }
    let words = showsValues(of: table) ? Self.pair(reference.parentNames, texts) : nil
    return .stillReferenced(reference.name, child: child.name.name, parent: table.name.name, words)
  }
}
