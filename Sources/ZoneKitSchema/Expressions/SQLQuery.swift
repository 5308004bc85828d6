/// A query, inside of an expression, of a view or of a function.
package struct SQLQuery: Equatable, Sendable {
  /// What it returns: values, or all columns.
  package var results: [Result]
  /// The tables that it reads; the rows of several are combined.
  package var tables: [Source]
  /// The condition for its rows.
  package var condition: SQLExpression?
  /// What rows of one group have in common. A query with a function of rows and without these has one group.
  package var groups: [SQLExpression] = []
  /// The condition for groups.
  package var groupCondition: SQLExpression?
  /// The order of its rows.
  package var order: [Order] = []
  /// The most rows.
  package var limit: SQLExpression?
  /// How many rows are left out, from the first on.
  package var skipped: SQLExpression?
  /// Which rows are left out because they are like others.
  package var distinct = Distinct.none
  /// The queries that its tables may name.
  package var named: [Named] = []
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
    /// All columns of the table of that name.
    case columns(of: String)
    /// A value, with the name that it is given.
    case value(SQLExpression, name: String?)
  }

  /// What a query reads.
  package indirect enum Source: Equatable, Sendable {
    /// A table, with the name that it has in the query if it is another.
    case table(SQLName, alias: String?)
    /// The rows that another query finds, whose columns may have other names. A lateral one sees the sources before it.
    case query(SQLQuery, alias: String?, columns: [String], isLateral: Bool)
    /// The rows that a function returns.
    case function(SQLName, [SQLExpression], alias: String?, columns: [String])
    /// Rows that are written one by one.
    case values([[SQLExpression]])
    /// The rows of two queries with the same columns.
    case combination(SQLQuery, Combination, isAll: Bool, SQLQuery)
    /// The rows of two sources that fit together.
    case join(Source, Join, Source, Condition)
  }

  /// Which rows a join has beside those that fit together. The raw value is how it is written.
  package enum Join: String, Equatable, Sendable, CaseIterable {
    case inner = "JOIN"
    case left = "LEFT JOIN"
    case right = "RIGHT JOIN"
    case full = "FULL JOIN"
  }

  /// Which rows of a join fit together.
  package enum Condition: Equatable, Sendable {
    /// All.
    case none
    /// Those that fulfil a condition together.
    case expression(SQLExpression)
    /// Those whose columns of these names are equal. Such a column is one of both.
    case columns([String])
  }

  /// How the rows of two queries are put together. The raw value is how it is written.
  package enum Combination: String, Equatable, Sendable, CaseIterable {
    case union = "UNION"
    case intersection = "INTERSECT"
    case difference = "EXCEPT"
  }

  /// Which rows are left out because they are like others.
  package enum Distinct: Equatable, Sendable {
    /// No row.
    case none
    /// Those that are equal to another one.
    case rows
    /// Those in which these values are those of another one.
    case values([SQLExpression])
  }

  /// A part of an order.
  package struct Order: Equatable, Sendable {
    /// What rows are compared by: a value, or the name or the number of a result.
    package var value: SQLExpression
    /// Whether the greatest comes first.
    package var isDescending: Bool
    /// Whether nulls come first; nil for where PostgreSQL puts them.
    package var nullsFirst: Bool?

    /// An order by that value.
    package init(_ value: SQLExpression, isDescending: Bool = false, nullsFirst: Bool? = nil) {
      self.value = value
      self.isDescending = isDescending
      self.nullsFirst = nullsFirst
    }
  }

  /// A query that others read by its name, as `WITH` has it.
  package struct Named: Equatable, Sendable {
    /// The name.
    package var name: String
    /// Other names of its first columns.
    package var columns: [String]
    /// The query.
    package var query: SQLQuery

    /// A query of that name.
    package init(_ name: String, columns: [String] = [], _ query: SQLQuery) {
      self.name = name
      self.columns = columns
      self.query = query
    }
  }
}

/// A function of many rows, with more than its values.
package struct SQLAggregate: Equatable, Sendable {
  /// The function.
  package var name: SQLName
  /// What it gets of each row; none for `*`.
  package var values: [SQLExpression]
  /// Whether values that are equal count once.
  package var isDistinct: Bool
  /// The order of the rows.
  package var order: [SQLQuery.Order]
  /// The condition for rows.
  package var filter: SQLExpression?

  /// A call with those values.
  package init(
    _ name: SQLName, _ values: [SQLExpression], isDistinct: Bool = false, order: [SQLQuery.Order] = [],
    filter: SQLExpression? = nil
  ) {
    self.name = name
    self.values = values
    self.isDistinct = isDistinct
    self.order = order
    self.filter = filter
  }
}
