import ZoneKitRecords

/// A condition on rows. It is true, false, or unknown where it compares with null.
package indirect enum RowFilter: Hashable, Sendable {
  /// The comparisons of a column with a value.
  package enum Comparison: String, Hashable, Sendable, CaseIterable {
    case equal = "eq"
    case notEqual = "neq"
    case greater = "gt"
    case greaterOrEqual = "gte"
    case less = "lt"
    case lessOrEqual = "lte"
  }

  /// What a column is tested for, which is never unknown.
  package enum Test: String, Hashable, Sendable, CaseIterable {
    case null
    case notNull = "not_null"
    case `true`
    case `false`
    case unknown
  }

  /// All of these. Without any it is true.
  case all([RowFilter])
  /// At least one of these.
  case any([RowFilter])
  /// The opposite; unknown stays unknown.
  case not(RowFilter)
  /// A comparison of a column with a value that is not null.
  case compare(Name, Comparison, RowValue)
  /// The column has one of these values.
  case isIn(Name, [RowValue])
  /// The text of the column fits the pattern.
  case like(Name, LikePattern)
  /// The column is what is stated.
  case test(Name, Test)

  /// Whether the row fulfils the condition. Unknown is no.
  package func isFulfilled(by row: Row, of table: Table) -> Bool { truth(for: row, of: table) == true }

  /// True, false, or nil for unknown.
  func truth(for row: Row, of table: Table) -> Bool? {
    switch self {
    case .all(let filters):
      let truths = filters.map { $0.truth(for: row, of: table) }
      return truths.contains(false) ? false : truths.contains(nil) ? nil : true
    case .any(let filters):
      let truths = filters.map { $0.truth(for: row, of: table) }
      return truths.contains(true) ? true : truths.contains(nil) ? nil : false
    case .not(let filter): return filter.truth(for: row, of: table).map { !$0 }
    case .compare(let column, let comparison, let value):
      let held = row[column, table]
      return held == .null ? nil : comparison.holds(held.order(to: value))
    case .isIn(let column, let values):
      let held = row[column, table]
      return held == .null ? nil : values.contains(held)
    case .like(let column, let pattern): return row[column, table].text.map { pattern.fits($0) }
    case .test(let column, let test): return test.holds(row[column, table])
    }
  }
}

extension RowFilter.Comparison {
  fileprivate func holds(_ order: RowValue.Order) -> Bool {
    switch self {
    case .equal: order == .equal
    case .notEqual: order != .equal
    case .greater: order == .descending
    case .greaterOrEqual: order != .ascending
    case .less: order == .ascending
    case .lessOrEqual: order != .descending
    }
  }
}

extension RowFilter.Test {
  fileprivate func holds(_ value: RowValue) -> Bool {
    switch self {
    case .null, .unknown: value == .null
    case .notNull: value != .null
    case .true: value == .bool(true)
    case .false: value == .bool(false)
    }
  }
}

extension RowKey {
  /// The filters that find the row with this key.
  package func filters(in table: Table) -> [RowFilter] {
    zip(table.key, parts).map { .compare($0, .equal, .uuid($1)) }
  }
}
