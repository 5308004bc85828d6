extension SQLExpression {
  /// The expressions that it is made of, without those inside of queries.
  package var parts: [SQLExpression] {
    switch kind {
    case .constant, .column, .keyword, .query, .arrayOfQuery, .exists: []
    case .cast(let value, _), .negated(let value), .not(let value), .test(let value, _), .isInQuery(let value, _),
      .quantifiedQuery(let value, _, _, _):
      [value]
    case .binary(let left, _, let right), .quantified(let left, _, _, let right), .element(let left, let right):
      [left, right]
    case .and(let parts), .or(let parts), .call(_, let parts), .array(let parts): parts
    case .aggregate(let call): call.values + call.order.map(\.value) + (call.filter.map { [$0] } ?? [])
    case .isIn(let value, let list, _): [value] + list
    case .choice(let choices, let otherwise): choices.flatMap { [$0.condition, $0.value] } + [otherwise]
    case .between(let value, let lower, let upper, _): [value, lower, upper]
    }
  }

  /// The names of the columns that it reads, each once, in the order in which they are written; without those inside of
  /// queries.
  package var columnNames: [String] {
    var names: [String] = []
    var known: Set<[UInt8]> = []
    visit { expression in
      if case .column(let column) = expression.kind, known.insert(Array(column.name.utf8)).inserted {
        names.append(column.name)
      }
    }
    return names
  }

  /// Whether it has a query.
  package var hasQuery: Bool {
    var found = false
    visit { expression in
      switch expression.kind {
      case .query, .arrayOfQuery, .exists, .isInQuery, .quantifiedQuery: found = true
      case .constant, .column, .keyword, .cast, .negated, .binary, .and, .or, .not, .test, .isIn, .between, .quantified,
        .call, .aggregate, .element, .array, .choice:
        break
      }
    }
    return found
  }

  /// Calls `body` with the expression and with each that it is made of, in the order in which they are written.
  private func visit(_ body: (SQLExpression) -> Void) {
    body(self)
    for part in parts { part.visit(body) }
  }
}
