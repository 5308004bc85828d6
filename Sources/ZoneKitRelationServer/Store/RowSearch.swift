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
  package var order: [RowOrder]
  /// How many of the rows found are left out, from the first on.
  package var offset: Int
  /// The most rows; nil for all.
  package var limit: Int?
  /// Who asks, and when. Its rows of other tables are those of the store.
  package var context: EvaluationContext

  /// A search for the rows of that table.
  package init(
    _ table: ObjectName, where condition: TypedExpression? = nil, order: [RowOrder] = [], offset: Int = 0,
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

/// A part of an order.
package struct RowOrder: Hashable, Sendable {
  /// What rows are compared by.
  package var value: TypedExpression
  /// Whether the greatest comes first.
  package var isDescending: Bool
  /// Whether nulls come first.
  package var nullsFirst: Bool

  /// An order by that value. Nulls count as the greatest unless it is said otherwise.
  package init(_ value: TypedExpression, isDescending: Bool = false, nullsFirst: Bool? = nil) {
    self.value = value
    self.isDescending = isDescending
    self.nullsFirst = nullsFirst ?? isDescending
  }

  /// Whether a row with the first values comes before one with the second values, which are those of an order's parts; nil
  /// if the order does not tell.
  package static func areInOrder(_ parts: [RowOrder], _ first: [Datum], _ second: [Datum]) -> Bool? {
    for (part, (own, other)) in zip(parts, zip(first, second)) {
      let order = part.order(own, other)
      if order != 0 { return order < 0 }
    }
    return nil
  }

  /// The order of two values: less than zero, zero or more than zero.
  private func order(_ first: Datum, _ second: Datum) -> Int {
    switch (first, second) {
    case (.null, .null): 0
    case (.null, _): nullsFirst ? -1 : 1
    case (_, .null): nullsFirst ? 1 : -1
    default: isDescending ? second.order(to: first) : first.order(to: second)
    }
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
