public import ZoneKitRecords

/// A request for rows.
public enum RowRequest: Hashable, Sendable {
  /// Reads rows of a table. With `isHead` only their number is of interest.
  case read(Name, RowQuery, isHead: Bool)
  /// Inserts or merges rows.
  case write(Name, RowWrite)
  /// Changes columns of all rows that a query finds.
  case update(Name, RowContent, RowQuery)
  /// Removes all rows that a query finds.
  case delete(Name, RowQuery)

  /// The name of the table.
  public var table: Name {
    switch self {
    case .read(let table, _, _), .write(let table, _), .update(let table, _, _), .delete(let table, _): table
    }
  }
}

/// Some columns of a row with their new values.
public struct RowContent: Hashable, Sendable {
  /// The values by column. A column that is not in it stays as it is.
  public var values: [Name: RowValue]

  /// Those values.
  public init(_ values: [Name: RowValue]) { self.values = values }

  /// The key that the columns name; nil if one is missing.
  public func key(of table: Table) -> RowKey? {
    let parts = table.key.compactMap { values[$0]?.uuid }
    return parts.count == table.key.count ? RowKey(parts) : nil
  }

  /// The value of a column; nil if the column is not named.
  public subscript(column: Name) -> RowValue? {
    get { values[column] }
    set { values[column] = newValue }
  }
}

/// Rows to insert or to merge.
public struct RowWrite: Hashable, Sendable {
  /// What is done for a row whose key exists.
  public enum Resolution: Hashable, Sendable {
    /// The request is refused.
    case refuse
    /// The versions are merged: the greater one is kept.
    case merge
    /// The row that exists is left alone.
    case ignore
  }

  /// The rows, in the order of the request.
  public var rows: [RowContent]
  /// What is done for a row whose key exists.
  public var resolution: Resolution

  /// Those rows.
  public init(_ rows: [RowContent], resolution: Resolution) {
    self.rows = rows
    self.resolution = resolution
  }
}
