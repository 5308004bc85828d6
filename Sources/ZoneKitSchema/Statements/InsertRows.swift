/// Rows that a table has at first.
package struct InsertRows: Equatable, Sendable {
  /// A value of such a row.
  package enum Value: Equatable, Sendable {
    /// The column's default.
    case defaultValue
    /// A value that no row is needed for.
    case expression(SQLExpression)
  }

  /// What is done with a row that is there already.
  package enum Conflict: Equatable, Sendable {
    /// The statement fails.
    case fails
    /// The row is left as it is; the columns that are compared, or none for any constraint.
    case doesNothing([String])
    /// The row that is there gets other values, if a condition is true; the columns that are compared. Values and condition are
    /// about the row that is there and the new one, which is called `excluded`.
    case updates([RowWrite.Assignment], key: [String], where: SQLExpression?)
  }

  /// The table.
  package var table: SQLName
  /// The columns that have values; none for all columns in their order.
  package var columns: [String]
  /// The rows, each with a value for every column.
  package var rows: [[Value]]
  /// The query whose rows are inserted instead; nil for those that are written.
  package var query: SQLQuery?
  /// What is done with a row that is there already.
  package var conflict: Conflict
  /// What a function reads of the rows that are written.
  package var returning: [SQLQuery.Result] = []

  /// Rows of that table.
  package init(_ table: SQLName, _ columns: [String], _ rows: [[Value]], _ conflict: Conflict = .fails) {
    self.table = table
    self.columns = columns
    self.rows = rows
    self.conflict = conflict
  }
}
