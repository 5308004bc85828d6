import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations

/// Which rows of a table are wanted, and in which order.
package struct RowSearch {
  /// The table.
  package var table: ObjectName
  /// The condition for a row, in which the row is the one of level 0 and source 0; nil for all rows.
  package var condition: TypedExpression?
  /// The order. Rows that are equal in it come in the order in which they were made; in the opposite one if the last part is
  /// descending.
  package var order: [TypedOrder]
  /// How many of the rows found are left out, from the first on.
  package var offset: Int
  /// The most rows; nil for all.
  package var limit: Int?
  /// Who asks, and when. Its rows of other tables are those of the store.
  package var context: EvaluationContext

  /// A search for the rows of that table.
  package init(
    _ table: ObjectName, where condition: TypedExpression? = nil, order: [TypedOrder] = [], offset: Int = 0,
    limit: Int? = nil, _ context: EvaluationContext
  ) {
    self.table = table
    self.condition = condition
    self.order = order
    self.offset = offset
    self.limit = limit
    self.context = context
  }
}

/// A row of a table.
package struct StoredRow: Hashable, Sendable {
  /// The row's number, which no other row of the table ever has.
  package var number: Int64
  /// The values, in the order of the columns.
  package var values: [Datum]

  /// A row with those values.
  package init(_ number: Int64, _ values: [Datum]) {
    self.number = number
    self.values = values
  }
}
