/// When SQLite looks at how many rows have each value of an index.
///
/// Without that it takes every index for one that finds few rows. Policies compare a column of accounts in each query, and an
/// account may have all rows of a table.
struct RelationStatistics {
  /// The statement that looks. It reads a part of each index (SQLite: PRAGMA analysis_limit).
  static let update = "PRAGMA analysis_limit = 1000; ANALYZE"
  /// The number of new rows after which it is carried out first. The number doubles each time.
  static let first = 1_000

  private var fresh = 0
  private var limit = first

  /// Whether there are so many new rows that the next commit has to look.
  var isDue: Bool { fresh >= limit }

  /// A row was inserted.
  mutating func inserted() { fresh += 1 }

  /// SQLite has looked.
  mutating func updated() {
    fresh = 0
    limit *= 2
  }
}
