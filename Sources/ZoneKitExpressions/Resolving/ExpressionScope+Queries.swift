import ZoneKitRelations
import ZoneKitSchema

/// Queries inside of expressions.
extension ExpressionScope {
  /// The query with types.
  package func resolved(_ query: SQLQuery) throws(ExpressionProblem) -> TypedQuery { try self.query(query) }

  /// The query with types, whose values are converted to those of columns as when rows are written.
  package func resolved(_ query: SQLQuery, as columns: [ColumnShape]) throws(ExpressionProblem) -> TypedQuery {
    guard query.results.count == columns.count, !query.results.contains(.allColumns) else {
      let message = "INSERT has \(query.results.count) expressions for \(columns.count) target columns"
      throw ExpressionProblem(.syntax, message, at: query.offset)
    }
    return try self.query(query, as: columns)
  }

  /// The query with types.
  func query(_ query: SQLQuery, as columns: [ColumnShape]? = nil) throws(ExpressionProblem) -> TypedQuery {
    var sources: [RowSource] = []
    var joins: [Join] = []
    for table in query.tables { try add(table, to: &sources, &joins) }
    var conditions: [TypedExpression] = []
    for join in joins {
      // The condition of a join sees only the tables of the join, at their places among all.
      let visible = sources.enumerated().map { place, source in
        join.places.contains(place) ? source : RowSource(RelationShape(SQLName(""), []), as: "")
      }
      let inner = inside(visible)
      conditions.append(try inner.boolean(inner.operand(join.condition), "JOIN/ON"))
    }
    let inner = inside(sources)
    if let condition = query.condition { conditions.append(try inner.condition(condition, of: "WHERE")) }
    if let counted = query.counted { return try counting(counted, sources, conditions, inner) }
    var results: [TypedExpression] = []
    for (number, result) in query.results.enumerated() {
      switch result {
      case .allColumns: results += try Self.allColumns(sources, at: query.offset)
      case .value(let value, _):
        if let columns {
          results.append(try inner.resolve(value, as: columns[number]))
        } else {
          results.append(try inner.resolve(value))
        }
      }
    }
    let condition = conditions.count > 1 ? TypedExpression(.and(conditions), .boolean) : conditions.first
    return TypedQuery(results, from: sources, where: condition, limit: try limit(query))
  }

  /// A query that finds how many rows there are; of rows where `counted` is not null, if it is a value.
  private func counting(
    _ counted: [SQLExpression], _ sources: [RowSource], _ conditions: [TypedExpression], _ inner: ExpressionScope
  ) throws(ExpressionProblem) -> TypedQuery {
    var conditions = conditions
    for value in counted { conditions.append(TypedExpression(.test(try inner.resolve(value), .isNotNull), .boolean)) }
    let one = TypedExpression(.constant(.integer(1)), .bigint)
    var query = TypedQuery([one], from: sources, where: .all(conditions))
    query.isCounting = true
    return query
  }

  /// The query, which finds one value for each row.
  func oneColumn(_ query: SQLQuery) throws(ExpressionProblem) -> TypedQuery {
    let found = try self.query(query)
    guard found.results.count == 1 else {
      throw ExpressionProblem(.syntax, "subquery must return only one column", at: query.offset)
    }
    guard !found.isCounting else {
      throw ExpressionProblem(.notSupported, "count is supported only as a value", at: query.offset)
    }
    return found
  }

  /// The one value that a query finds.
  func scalar(_ query: SQLQuery) throws(ExpressionProblem) -> TypedExpression {
    let found = try query.counted == nil ? oneColumn(query) : self.query(query)
    return TypedExpression(.query(found), found.results[0].type.unlimited)
  }

  /// The condition of a join, and the places of its tables.
  private struct Join {
    var condition: SQLExpression
    var places: Range<Int>
  }

  /// The scope of what is written inside of a query of those tables.
  package func inside(_ sources: [RowSource]) -> ExpressionScope {
    var scope = self
    scope.levels.append(sources)
    return scope
  }

  private func add(
    _ table: SQLQuery.Source, to sources: inout [RowSource], _ joins: inout [Join]
  ) throws(ExpressionProblem) {
    switch table {
    case .table(let name, let alias):
      guard let shape = names.relation(name) else {
        throw ExpressionProblem(.unknownTable, "relation \"\(name.plain)\" does not exist", at: name.offset)
      }
      let source = RowSource(shape, as: alias)
      guard !sources.contains(where: { $0.alias.isSame(source.alias) }) else {
        throw ExpressionProblem(
          .duplicateAlias, "table name \"\(source.alias)\" specified more than once", at: name.offset)
      }
      sources.append(source)
    case .join(let left, let right, let condition):
      let start = sources.count
      try add(left, to: &sources, &joins)
      try add(right, to: &sources, &joins)
      joins.append(Join(condition: condition, places: start..<sources.count))
    }
  }

  private static func allColumns(
    _ sources: [RowSource], at offset: SourceOffset
  ) throws(ExpressionProblem) -> [TypedExpression] {
    guard !sources.isEmpty else {
      throw ExpressionProblem(.syntax, "SELECT * with no tables specified is not valid", at: offset)
    }
    return sources.enumerated().flatMap { number, source in
      source.shape.columns.enumerated().map { place, column in
        TypedExpression(.column(ColumnPlace(source: number, column: place)), column.type)
      }
    }
  }

  private func limit(_ query: SQLQuery) throws(ExpressionProblem) -> Int64? {
    guard let expression = query.limit else { return nil }
    let operand = try operand(expression)
    guard let value = try coerced(operand, to: .bigint, .assignment) else {
      throw ExpressionProblem(
        .typeMismatch, "argument of LIMIT must be type bigint, not type \(operand.slot.name)", at: expression.offset)
    }
    switch value.kind {
    case .constant(.null): return nil
    case .constant(.integer(let count)) where count >= 0: return count
    case .constant: throw ExpressionProblem(.invalidLimit, "LIMIT must not be negative", at: expression.offset)
    default: throw ExpressionProblem(.notSupported, "LIMIT is supported only with a constant", at: expression.offset)
    }
  }
}

extension SQLQuery {
  /// The values that are counted if the query counts rows, and none for all rows; nil for another query.
  fileprivate var counted: [SQLExpression]? {
    guard results.count == 1, case .value(let value, _) = results[0], case .call(let name, let values) = value.kind,
      name.name == "count", name.schema == nil || name.schema == "pg_catalog", values.count < 2
    else { return nil }
    return values
  }
}

extension SQLFailure.Code {
  /// A query has a form that PostgreSQL does not know.
  package static let syntax = SQLFailure.Code(rawValue: "42601")
}
