import ZoneKitCatalogue
import ZoneKitExpressions

/// How the rows of a table are kept: their columns, and what makes finding them fast.
package struct TableLayout: Hashable, Sendable {
  /// The table.
  package var name: ObjectName
  /// The columns of a row, in their order.
  package var columns: [ColumnShape]
  /// The indexes.
  package var indexes: [IndexLayout]
  /// The columns that are never null, by their places.
  package var notNull: Set<Int>

  /// A table with those columns.
  package init(
    _ name: ObjectName, _ columns: [ColumnShape], _ indexes: [IndexLayout] = [], notNull: Set<Int> = []
  ) {
    self.name = name
    self.columns = columns
    self.indexes = indexes
    self.notNull = notNull
  }

  /// The table as expressions see it.
  package var shape: RelationShape { RelationShape(name.sql, columns) }
}

/// An index of a table. No two rows differ in a unique one, which is the statements' concern and not the store's.
package struct IndexLayout: Hashable, Sendable {
  /// The index's name.
  package var name: String
  /// What it is sorted by.
  package var parts: [TypedOrder]
  /// The rows that it is for; nil for all.
  package var condition: TypedExpression?

  /// An index of that name.
  package init(_ name: String, _ parts: [TypedOrder], where condition: TypedExpression? = nil) {
    self.name = name
    self.parts = parts
    self.condition = condition
  }
}
