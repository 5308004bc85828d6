import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Values of expressions in functions.
extension RowStatements {
  /// The value of an expression about a row of each source.
  func value(_ expression: TypedExpression, in rows: [[Datum]]) throws(RelationFailure) -> Datum {
    guard expression.hasQuery else {
      return try RelationFailure.refusing { () throws(SQLFailure) in try expression.value(in: rows, context) }
    }
    let constant = try secured(expression, rows)
    if case .query(let query) = constant.kind { return try firstRow(of: query)?.first ?? .null }
    let own = try context.reading(constant.relations, in: store)
    return try RelationFailure.refusing { () throws(SQLFailure) in try constant.value(of: [], own) }
  }

  /// The expression with values in place of what it knows of the sources, and with the rows alone that the role may read.
  func secured(_ expression: TypedExpression, _ rows: [[Datum]]) throws(RelationFailure) -> TypedExpression {
    try RelationFailure.refusing { () throws(SQLFailure) in
      try security.secured(
        expression.mapped { place, depth in
          place.level == depth ? .constant(rows[place.source][place.column]) : .column(place)
        })
    }
  }

  /// The values of the first row that a query about sources finds; nil if there is none.
  func firstRow(of query: TypedQuery, in rows: [[Datum]]) throws(RelationFailure) -> [Datum]? {
    var first = query
    if query.limit == nil, !query.isCounting { first.limit = TypedExpression(.constant(.integer(1)), .bigint) }
    let one = TypedExpression(.query(first), query.results.first?.type ?? .text)
    guard case .query(let constant) = try secured(one, rows).kind else { return nil }
    return try firstRow(of: constant)
  }

  /// The values of the first row that a query without sources around it finds.
  private func firstRow(of query: TypedQuery) throws(RelationFailure) -> [Datum]? {
    guard query.sources.count == 1, query.isPlain || query.isCounting else { return try rows(of: query).first }
    var search = RowSearch(query.sources[0].shape.objectName, where: query.condition, context)
    if query.isCounting { return [.integer(Int64(try store.count(search)))] }
    search.limit = 1
    guard let row = try store.rows(search).first else { return nil }
    var values: [Datum] = []
    for result in query.results { values.append(try value(result, in: [row.values])) }
    return values
  }

  /// The rows that a query about sources finds.
  func rows(of query: TypedQuery, in rows: [[Datum]]) throws(RelationFailure) -> [[Datum]] {
    let one = TypedExpression(.query(query), query.results.first?.type ?? .text)
    guard case .query(let constant) = try secured(one, rows).kind else { return [] }
    return try self.rows(of: constant)
  }

  /// The rows that a query without sources around it finds.
  func rows(of query: TypedQuery) throws(RelationFailure) -> [[Datum]] {
    let own = try context.reading(query.relations, in: store)
    return try RelationFailure.refusing { () throws(SQLFailure) in try query.rows(own) }
  }

  /// The expression about a row of a statement's table, with values in place of what it knows of the sources.
  func inside(_ expression: TypedExpression, _ frame: [[Datum]]) throws(RelationFailure) -> TypedExpression {
    try RelationFailure.refusing { () throws(SQLFailure) in
      try security.secured(
        expression.mapped { place, depth in
          place.level == depth + 1 ? .constant(frame[place.source][place.column]) : .column(place)
        })
    }
  }
}
