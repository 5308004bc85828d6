import ZoneKitCloud
import ZoneKitRecords

/// Queries with conditions or orders that SQLite cannot judge. SQLite finds the records that fulfil the other conditions;
/// the rest is computed from their fields.
extension ZoneFile {
  /// The answer to a query. `isOrdered` is whether the index has the order of the query.
  func computedMatches(_ query: RecordQuery, index: String?, isOrdered: Bool) throws(StoreError) -> RecordMatches {
    query.order.contains { $0.key.needsFields }
      ? try sortedMatches(query, index: isOrdered ? nil : index) : try filteredMatches(query, index: index, isOrdered)
  }

  /// The records in the order that SQLite gives them.
  private func filteredMatches(
    _ query: RecordQuery, index: String?, _ isOrdered: Bool
  ) throws(StoreError) -> RecordMatches {
    var draft = PageDraft()
    var matches = RecordMatches()
    var skipped = 0
    for part in isOrdered ? query.partsToRead : [.all] where !matches.moreComing {
      let text = query.text(columns: readColumns, of: part, index: index, limit: .max, offset: 0)
      try queryStatement(text.sql).visit(all: text.values) { row throws(StoreError) in
        guard query.condition.truth(of: try sight(row)) == true else { return true }
        skipped += 1
        guard skipped > query.offset else { return true }
        let bytes = draft.bytes.count + row.utf8(3).count
        matches.moreComing = draft.rows.count >= query.limit || !draft.rows.isEmpty && bytes > query.byteLimit
        guard !matches.moreComing else { return false }
        try append(row, to: &draft)
        return true
      }
    }
    matches.page = RecordPage(bytes: draft.bytes, rows: draft.rows, authors: draft.authors)
    if query.isCounted { matches.count = try computedCount(query) }
    return matches
  }

  /// The records in an order that is computed. Only the place of each record is in memory at once.
  private func sortedMatches(_ query: RecordQuery, index: String?) throws(StoreError) -> RecordMatches {
    var places: [RecordQuery.Position] = []
    var count = 0
    try visitAll(query, index: index) { sight in
      let place = query.position(of: sight)
      count += 1
      if query.after.map({ query.comesBefore($0, place) }) ?? true { places.append(place) }
    }
    places.sort { query.comesBefore($0, $1) }
    var matches = RecordMatches(count: query.isCounted ? count : nil)
    for case let name? in places.dropFirst(query.offset).lazy.map(\.recordName) {
      guard matches.page.count < query.limit else {
        matches.moreComing = true
        break
      }
      guard let record = try record(name) else { continue }
      guard matches.page.count == 0 || matches.page.bytes.count + record.fields.utf8.count <= query.byteLimit else {
        matches.moreComing = true
        break
      }
      matches.page.append(record.record, isDeleted: false, version: record.version)
    }
    return matches
  }

  private func computedCount(_ query: RecordQuery) throws(StoreError) -> Int {
    var count = 0
    try visitAll(query, index: nil) { _ in count += 1 }
    return count
  }

  /// Visits all records that fulfil the condition, in any order.
  private func visitAll(
    _ query: RecordQuery, index: String?, _ visit: (RecordSight) -> Void
  ) throws(StoreError) {
    var text = QueryText("SELECT \(readColumns)")
    text.append(query.source(index, .all))
    try queryStatement(text.sql).visit(all: text.values) { row throws(StoreError) in
      let sight = try sight(row)
      if query.condition.truth(of: sight) == true { visit(sight) }
      return true
    }
  }

  private func sight(_ row: Row) throws(StoreError) -> RecordSight {
    let record = try record(row)
    return RecordSight(record, try record.fields.decoded())
  }
}
