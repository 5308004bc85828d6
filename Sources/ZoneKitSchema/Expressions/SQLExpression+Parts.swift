extension SQLExpression {
  /// The expressions that it is made of, without those inside of queries.
  var parts: [SQLExpression] {
    switch kind {
    case .constant, .column, .keyword, .query, .arrayOfQuery, .exists: []
    case .cast(let value, _), .negated(let value), .not(let value), .test(let value, _), .isInQuery(let value, _),
      .quantifiedQuery(let value, _, _, _):
      [value]
    case .binary(let left, _, let right), .quantified(let left, _, _, let right), .element(let left, let right):
      [left, right]
    case .and(let parts), .or(let parts), .call(_, let parts), .array(let parts): parts
    case .isIn(let value, let list, _): [value] + list
    case .between(let value, let lower, let upper, _): [value, lower, upper]
    }
  }

  /// Whether its value can be computed without a row of any table.
  package var isWithoutRows: Bool {
    switch kind {
    case .column, .query, .arrayOfQuery, .exists, .isInQuery, .quantifiedQuery: false
    case .constant, .keyword, .cast, .negated, .binary, .and, .or, .not, .test, .isIn, .between, .quantified, .call,
      .element, .array:
      parts.allSatisfy { $0.isWithoutRows }
    }
  }
}
