/// A column as an expression names it.
package struct SQLColumn: Equatable, Sendable {
  /// The schema of the table; nil where none is written.
  package var schema: String?
  /// The table or its alias; nil where none is written.
  package var table: String?
  /// The column.
  package var name: String

  /// A column of that table.
  package init(schema: String? = nil, table: String? = nil, _ name: String) {
    self.schema = schema
    self.table = table
    self.name = name
  }
}
