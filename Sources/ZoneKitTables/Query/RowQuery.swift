import ZoneKitRecords

/// Which rows of a table are read or changed, in which order, and what of them is answered.
package struct RowQuery: Hashable, Sendable {
  /// An order of rows by one column.
  package struct Order: Hashable, Sendable {
    /// The column.
    package var column: Name
    /// Whether greater values come first.
    package var isDescending: Bool
    /// Whether rows without a value come first.
    package var nullsFirst: Bool

    /// An order by that column. Rows without a value count as the greatest unless stated otherwise.
    package init(_ column: Name, isDescending: Bool = false, nullsFirst: Bool? = nil) {
      self.column = column
      self.isDescending = isDescending
      self.nullsFirst = nullsFirst ?? isDescending
    }
  }

  /// The condition; all of these have to hold. Empty for all rows.
  package var filters: [RowFilter]
  /// The order; after it rows are in the order of their keys.
  package var order: [Order]
  /// The most rows; nil for the most that an answer may have.
  package var limit: Int?
  /// The number of rows to leave out at the beginning.
  package var offset: Int
  /// The columns of the answer.
  package var selection: RowSelection
  /// The stamps of the client's own writes that it has not read since. They choose no rows: if the account's rows never had
  /// one of them, the answer names another life of the feed.
  package var acknowledged: [WallTime]

  /// A query for all rows unless stated otherwise.
  package init(
    filters: [RowFilter] = [], order: [Order] = [], limit: Int? = nil, offset: Int = 0, selection: RowSelection = .all,
    acknowledged: [WallTime] = []
  ) {
    self.filters = filters
    self.order = order
    self.limit = limit
    self.offset = offset
    self.selection = selection
    self.acknowledged = acknowledged
  }

  /// Whether the row fulfils all conditions.
  package func isFulfilled(by row: Row, of table: Table) -> Bool {
    filters.allSatisfy { $0.isFulfilled(by: row, of: table) }
  }

  /// The rows in the order of the query.
  package func sorted(_ rows: [Row], of table: Table) -> [Row] {
    let terms = order + table.key.map { Order($0) }
    let places = terms.map { table.place(of: $0.column) }
    return rows.sorted { first, second in
      for (term, place) in zip(terms, places) {
        guard let place else { continue }
        let values = (first.values[place], second.values[place])
        if (values.0 == .null) != (values.1 == .null) { return (values.0 == .null) == term.nullsFirst }
        switch values.0.order(to: values.1) {
        case .equal: continue
        case .ascending: return !term.isDescending
        case .descending: return term.isDescending
        }
      }
      return false
    }
  }
}
