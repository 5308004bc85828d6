import ZoneKitCatalogue

/// When SQLite looks at how many rows of a table have each value of an index.
///
/// Without that it takes every index for one that finds few rows. Policies compare a column of accounts in each query, and an
/// account may have all rows of a table.
struct RelationStatistics {
  /// The number of new rows of a table after which SQLite looks first. The number doubles each time.
  static let first = 1_000

  /// The new rows of tables since SQLite looked last, and how many have to come.
  private var tables: [ObjectName: (fresh: Int, limit: Int)] = [:]

  /// A row of a table was inserted.
  mutating func inserted(into table: ObjectName) { tables[table, default: (0, Self.first)].fresh += 1 }

  /// Returns the tables of which SQLite has to look at the rows with the next commit, which it does then.
  mutating func takeDue() -> [ObjectName] {
    let due = tables.filter { $1.fresh >= $1.limit }.map(\.key).sorted()
    for table in due { tables[table] = (0, 2 * (tables[table]?.limit ?? Self.first)) }
    return due
  }
}
