import ZoneKitRecords

extension RowQuery {
  /// The way to find the rows of a query.
  package enum Plan: Hashable, Sendable {
    /// Rows with these keys.
    case keys([RowKey])
    /// Rows with stamps after the first time up to the second one, in the order of the stamps. With `isExact`, all of
    /// them are asked for.
    case stamps(after: WallTime?, through: WallTime?, isExact: Bool)
    /// All rows of the table.
    case table
  }

  /// The way to find the rows of this query in that table.
  package func plan(for table: Table) -> Plan {
    if let keys = keys(of: table) { return .keys(keys) }
    guard order.first == Order(.updatedAt), table.place(of: .updatedAt) != nil else { return .table }
    var range = StampRange()
    var isExact = true
    for filter in filters where !range.take(filter) { isExact = false }
    return .stamps(after: range.after, through: range.through, isExact: isExact)
  }

  /// The stamp up to which a client has received the rows of that table, if the query reads on from there: the rows after
  /// that stamp in the order of the stamps, or after a row with it, such as `(updated_at, id) > (X, Y)`. Nil for any other
  /// query.
  package func receivedStamp(in table: Table) -> WallTime? {
    guard let first = order.first, first.column == .updatedAt, !first.isDescending,
      table.place(of: .updatedAt) != nil
    else { return nil }
    return RowFilter.all(filters).receivedStamp
  }

  /// The keys that rows have to have by conditions on all key columns; nil if there are no such conditions.
  private func keys(of table: Table) -> [RowKey]? {
    var keys: [[UUID]] = [[]]
    for column in table.key {
      guard let values = values(of: column) else { return nil }
      keys = keys.flatMap { key in values.map { key + [$0] } }
      guard keys.count <= Self.keyLimit else { return nil }
    }
    return Set(keys.map { RowKey($0) }).sorted()
  }

  /// The most keys that are looked up one by one.
  private static let keyLimit = 5_000

  private func values(of column: Name) -> [UUID]? {
    for filter in filters {
      switch filter {
      case .compare(column, .equal, .uuid(let id)): return [id]
      case .isIn(column, let values): return values.compactMap(\.uuid)
      default: continue
      }
    }
    return nil
  }
}

extension RowFilter {
  /// The stamp from which on rows have to be for the condition; nil if it allows earlier ones too.
  fileprivate var receivedStamp: WallTime? {
    switch self {
    case .compare(.updatedAt, .greater, .timestamp(let time)), .compare(.updatedAt, .equal, .timestamp(let time)): time
    // The client may have added a millisecond to the stamp that it has.
    case .compare(.updatedAt, .greaterOrEqual, .timestamp(let time)): time.advanced(byMilliseconds: -1)
    case .all(let filters): filters.compactMap(\.receivedStamp).max()
    case .any(let filters):
      filters.allSatisfy { $0.receivedStamp != nil } ? filters.compactMap(\.receivedStamp).min() : nil
    case .compare, .not, .isIn, .like, .test: nil
    }
  }
}

/// The range of stamps to which conditions on `updated_at` limit rows.
private struct StampRange {
  var after: WallTime?
  var through: WallTime?

  /// Takes a condition into account. Returns false if it is not one on the stamp.
  mutating func take(_ filter: RowFilter) -> Bool {
    guard case .compare(.updatedAt, let comparison, .timestamp(let time)) = filter else { return false }
    let before = time.advanced(byMilliseconds: -1)
    switch comparison {
    case .greater: raise(to: time)
    case .greaterOrEqual: raise(to: before)
    case .less: lower(to: before)
    case .lessOrEqual: lower(to: time)
    case .equal:
      raise(to: before)
      lower(to: time)
    case .notEqual: return false
    }
    return true
  }

  private mutating func raise(to time: WallTime) { after = max(after ?? time, time) }
  private mutating func lower(to time: WallTime) { through = min(through ?? time, time) }
}
