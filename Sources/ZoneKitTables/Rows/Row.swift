import ZoneKitRecords

/// A row of a table: a value for each column, in the table's order.
package struct Row: Hashable, Sendable {
  /// The values, in the order of the table's columns.
  package var values: [RowValue]

  /// A row with those values.
  package init(_ values: [RowValue]) { self.values = values }

  /// The value of a column; null for a column that the table does not have.
  package subscript(column: Name, table: Table) -> RowValue {
    get { table.place(of: column).map { values[$0] } ?? .null }
    set {
      if let place = table.place(of: column) { values[place] = newValue }
    }
  }
}
