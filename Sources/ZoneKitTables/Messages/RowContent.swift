public import ZoneKitRecords

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
