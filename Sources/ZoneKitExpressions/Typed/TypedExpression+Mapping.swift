import ZoneKitRelations

extension TypedExpression {
  /// The expression with other columns and queries in place of its own.
  ///
  /// Both functions get how many queries of the expression are around the part. A query has its new parts when `query` gets
  /// it.
  package func mapped(
    depth: Int = 0, column: (ColumnPlace, Int) -> Kind,
    query: (TypedQuery, Int) throws(SQLFailure) -> TypedQuery = { query, _ in query }
  ) throws(SQLFailure) -> TypedExpression {
    func part(_ expression: TypedExpression) throws(SQLFailure) -> TypedExpression {
      try expression.mapped(depth: depth, column: column, query: query)
    }
    func parts(_ expressions: [TypedExpression]) throws(SQLFailure) -> [TypedExpression] {
      try expressions.map { (expression) throws(SQLFailure) in try part(expression) }
    }
    func inner(_ own: TypedQuery) throws(SQLFailure) -> TypedQuery {
      try query(own.mapped(depth: depth + 1, column: column, query: query), depth)
    }
    return switch kind {
    case .constant: self
    case .column(let place): TypedExpression(column(place, depth), type)
    case .converted(let value, let isExplicit):
      TypedExpression(.converted(try part(value), isExplicit: isExplicit), type)
    case .negated(let value): TypedExpression(.negated(try part(value)), type)
    case .binary(let left, let known, let right):
      TypedExpression(.binary(try part(left), known, try part(right)), type)
    case .moved(let time, let interval): TypedExpression(.moved(try part(time), interval), type)
    case .and(let all): TypedExpression(.and(try parts(all)), type)
    case .or(let all): TypedExpression(.or(try parts(all)), type)
    case .not(let value): TypedExpression(.not(try part(value)), type)
    case .test(let value, let test): TypedExpression(.test(try part(value), test), type)
    case .quantified(let value, let known, let quantifier, let array):
      TypedExpression(.quantified(try part(value), known, quantifier, try part(array)), type)
    case .call(let function, let arguments): TypedExpression(.call(function, try parts(arguments)), type)
    case .element(let array, let index): TypedExpression(.element(try part(array), try part(index)), type)
    case .array(let elements): TypedExpression(.array(try parts(elements)), type)
    case .choice(let all, let otherwise):
      TypedExpression(.choice(try parts(all), otherwise: try part(otherwise)), type)
    case .query(let own): TypedExpression(.query(try inner(own)), type)
    case .arrayOfQuery(let own): TypedExpression(.arrayOfQuery(try inner(own)), type)
    case .exists(let own): TypedExpression(.exists(try inner(own)), type)
    case .quantifiedQuery(let value, let known, let quantifier, let own):
      TypedExpression(.quantifiedQuery(try part(value), known, quantifier, try inner(own)), type)
    }
  }

  /// Whether all of those are true; nil for none.
  package static func all(_ conditions: [TypedExpression]) -> TypedExpression? {
    conditions.count > 1 ? TypedExpression(.and(conditions), .boolean) : conditions.first
  }

  /// Whether one of those is true; false for none.
  package static func one(of conditions: [TypedExpression]) -> TypedExpression {
    switch conditions.count {
    case 0: TypedExpression(.constant(.boolean(false)), .boolean)
    case 1: conditions[0]
    default: TypedExpression(.or(conditions), .boolean)
    }
  }
}

extension TypedQuery {
  fileprivate func mapped(
    depth: Int, column: (ColumnPlace, Int) -> TypedExpression.Kind,
    query: (TypedQuery, Int) throws(SQLFailure) -> TypedQuery
  ) throws(SQLFailure) -> TypedQuery {
    var mapped = self
    mapped.results = try results.map { (result) throws(SQLFailure) in
      try result.mapped(depth: depth, column: column, query: query)
    }
    mapped.condition = try condition.map { (condition) throws(SQLFailure) in
      try condition.mapped(depth: depth, column: column, query: query)
    }
    return mapped
  }
}
