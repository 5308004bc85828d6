/// Statements each of which is done if it can be done: a DO block that makes objects unless they are there.
package struct AttemptedStatements: Equatable, Sendable {
  /// The statements.
  package var statements: [SchemaStatement]
  /// The block as it is written.
  package var sql: String

  /// Those statements of a block.
  package init(_ statements: [SchemaStatement], sql: String) {
    self.statements = statements
    self.sql = sql
  }
}

/// A change of the rows that a table has when the statement comes, as it is written. A new table has none.
package struct RewriteStatement: Equatable, Sendable {
  /// The table.
  package var table: SQLName
  /// The statement as it is written.
  package var sql: String

  /// A change of rows of that table.
  package init(of table: SQLName, sql: String) {
    self.table = table
    self.sql = sql
  }
}
