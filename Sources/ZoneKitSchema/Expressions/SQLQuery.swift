/// A query inside of an expression.
package struct SQLQuery: Equatable, Sendable {
  /// What it returns: one or more values, or all columns.
  package var results: [Result]
  /// The tables that it reads; the rows of several are combined.
  package var tables: [Source]
  /// The condition for its rows.
  package var condition: SQLExpression?
  /// The most rows.
  package var limit: SQLExpression?
  /// Where it is written: where its first result is.
  package var offset: SourceOffset

  /// A query for those results.
  package init(
    _ results: [Result], from tables: [Source] = [], where condition: SQLExpression? = nil, limit: SQLExpression? = nil,
    at offset: SourceOffset = SourceOffset(0)
  ) {
    self.results = results
    self.tables = tables
    self.condition = condition
    self.limit = limit
    self.offset = offset
  }

  /// A column of what a query returns.
  package enum Result: Equatable, Sendable {
    /// All columns of its tables.
    case allColumns
    /// A value, with the name that it is given.
    case value(SQLExpression, name: String?)
  }

  /// What a query reads.
  package indirect enum Source: Equatable, Sendable {
    /// A table, with the name that it has in the query if it is another.
    case table(SQLName, alias: String?)
    /// The rows of two sources that fulfil a condition together.
    case join(Source, Source, on: SQLExpression)
  }
}
