import ZoneKitSchema

/// The values of some columns by which no two rows may be the same.
package struct KeyConstraint: Equatable, Sendable {
  /// The constraint's or the index's name.
  package var name: String
  /// Its columns.
  package var columns: [String]
  /// Whether two rows with a null in one of them count as the same.
  package var nullsNotDistinct: Bool

  /// A key of those columns.
  package init(_ name: String, _ columns: [String], nullsNotDistinct: Bool = false) {
    self.name = name
    self.columns = columns
    self.nullsNotDistinct = nullsNotDistinct
  }
}

/// A condition that is not false for any row.
package struct CheckConstraint: Equatable, Sendable {
  /// The constraint's name.
  package var name: String
  /// The condition.
  package var condition: SQLExpression

  /// A constraint of that name.
  package init(_ name: String, _ condition: SQLExpression) {
    self.name = name
    self.condition = condition
  }
}

/// Columns whose values are those of a row of a table.
package struct ForeignKeyConstraint: Equatable, Sendable {
  /// The constraint's name.
  package var name: String
  /// The columns that refer.
  package var columns: [String]
  /// The table that is referred to.
  package var target: ObjectName
  /// The columns there, in the order of `columns`.
  package var targetColumns: [String]
  /// What is done when the row there is deleted.
  package var onDelete: TableReference.Action
  /// What is done when the key there changes.
  package var onUpdate: TableReference.Action

  /// A constraint of that name.
  package init(
    _ name: String, _ columns: [String], to target: ObjectName, _ targetColumns: [String],
    onDelete: TableReference.Action = .noAction, onUpdate: TableReference.Action = .noAction
  ) {
    self.name = name
    self.columns = columns
    self.target = target
    self.targetColumns = targetColumns
    self.onDelete = onDelete
    self.onUpdate = onUpdate
  }
}

/// An index, which makes some queries fast and, if it is unique, keeps rows apart.
package struct CatalogueIndex: Equatable, Sendable {
  /// The index's name.
  package var name: String
  /// How it finds rows.
  package var method: CreateIndex.Method
  /// What it is sorted by; one or more.
  package var parts: [CreateIndex.Part]
  /// The rows that it is for; nil for all.
  package var condition: SQLExpression?
  /// Whether no two rows may be the same in it.
  package var isUnique: Bool

  /// The columns if the index is one of columns alone, for all rows; nil otherwise.
  package var plainColumns: [String]? {
    guard condition == nil else { return nil }
    var columns: [String] = []
    for part in parts {
      guard case .column(let column) = part.value.kind else { return nil }
      columns.append(column.name)
    }
    return columns
  }
}

/// A policy for the rows of a table: who may do what with which of them.
package struct CataloguePolicy: Equatable, Sendable {
  /// The policy's name.
  package var name: String
  /// Whether one such policy is enough to allow a row; otherwise each must allow it.
  package var isPermissive: Bool
  /// What it is about.
  package var command: CreatePolicy.Command
  /// Whom it is about; one or more.
  package var roles: [SQLRole]
  /// The condition for rows that are there; nil where none is written.
  package var using: SQLExpression?
  /// The condition for rows that are written; nil where none is written.
  package var withCheck: SQLExpression?
}
