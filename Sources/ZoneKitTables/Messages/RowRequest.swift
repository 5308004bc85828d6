import ZoneKitRecords

/// A request for rows.
package enum RowRequest: Hashable, Sendable {
  /// Reads rows of a table. With `isHead` only their number is of interest.
  case read(Name, RowQuery, isHead: Bool)
  /// Inserts or merges rows.
  case write(Name, RowWrite)
  /// Changes columns of all rows that a query finds.
  case update(Name, RowContent, RowQuery)
  /// Removes all rows that a query finds.
  case delete(Name, RowQuery)

  /// The name of the table.
  package var table: Name {
    switch self {
    case .read(let table, _, _), .write(let table, _), .update(let table, _, _), .delete(let table, _): table
    }
  }
}
