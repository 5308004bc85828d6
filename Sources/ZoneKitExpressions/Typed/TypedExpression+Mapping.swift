import ZoneKitRelations

extension TypedExpression {
  /// The expression with other columns and queries in place of its own.
  ///
  /// Both functions get how many queries of the expression are around the part. A query has its new parts when `query` gets
  /// it. A part for which `replacing` returns another one is replaced as a whole.
  package func mapped(
    depth: Int = 0, column: (ColumnPlace, Int) -> Kind,
    query: (TypedQuery, Int) throws(SQLFailure) -> TypedQuery = { query, _ in query },
    replacing: (TypedExpression, Int) -> TypedExpression? = { _, _ in nil }
  ) throws(SQLFailure) -> TypedExpression {
    if let other = replacing(self, depth) { return other }
    func part(_ expression: TypedExpression) throws(SQLFailure) -> TypedExpression {
      try expression.mapped(depth: depth, column: column, query: query, replacing: replacing)
    }
    func parts(_ expressions: [TypedExpression]) throws(SQLFailure) -> [TypedExpression] {
      try expressions.map { (expression) throws(SQLFailure) in try part(expression) }
    }
    func inner(_ own: TypedQuery) throws(SQLFailure) -> TypedQuery {
      try query(own.mapped(depth: depth + 1, column: column, query: query, replacing: replacing), depth)
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
  /// The query with other columns and queries in place of its own. `depth` is the number of queries around its parts.
  package func mapped(
    depth: Int, column: (ColumnPlace, Int) -> TypedExpression.Kind,
    query: (TypedQuery, Int) throws(SQLFailure) -> TypedQuery,
    replacing: (TypedExpression, Int) -> TypedExpression? = { _, _ in nil }
  ) throws(SQLFailure) -> TypedQuery {
    func part(_ expression: TypedExpression) throws(SQLFailure) -> TypedExpression {
      try expression.mapped(depth: depth, column: column, query: query, replacing: replacing)
    }
    func parts(_ expressions: [TypedExpression]) throws(SQLFailure) -> [TypedExpression] {
      try expressions.map { (expression) throws(SQLFailure) in try part(expression) }
    }
    func optional(_ expression: TypedExpression?) throws(SQLFailure) -> TypedExpression? {
      try expression.map { (expression) throws(SQLFailure) in try part(expression) }
    }
    var mapped = self
    for place in sources.indices {
      guard let derivation = sources[place].derivation else { continue }
      mapped.sources[place].derivation = try derivation.mapped(part) { (own) throws(SQLFailure) in
        try query(own.mapped(depth: depth + 1, column: column, query: query, replacing: replacing), depth)
      }
    }
    mapped.results = try parts(results)
    mapped.joins = try joins.map { (join) throws(SQLFailure) in try join.mapped(part) }
    mapped.condition = try optional(condition)
    for place in order.indices { mapped.order[place].value = try part(order[place].value) }
    if case .values(let values) = distinct { mapped.distinct = .values(try parts(values)) }
    mapped.limit = try optional(limit)
    mapped.skipped = try optional(skipped)
    return mapped
  }
}
