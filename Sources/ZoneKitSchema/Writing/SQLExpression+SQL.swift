extension SQLExpression {
  /// The expression as SQL writes it, with each operator that belongs to another one in brackets.
  package var sql: String {
    switch kind {
    case .constant(let constant): constant.sql
    case .column(let column): column.sql
    case .keyword(let keyword): keyword.rawValue
    case .cast(let value, let type): "\(value.operand)::\(type.sql)"
    case .negated(let value): "- \(value.operand)"
    case .binary(let left, let known, let right): "\(left.operand) \(known.rawValue) \(right.operand)"
    case .and(let parts): parts.map(\.operand).joined(separator: " AND ")
    case .or(let parts): parts.map(\.operand).joined(separator: " OR ")
    case .not(let value): "NOT \(value.operand)"
    case .test(let value, let test): "\(value.operand) \(test.rawValue)"
    case .isIn(let value, let list, let isNegated): "\(value.operand)\(isNegated ? " NOT" : "") IN (\(list.sqlList))"
    case .between(let value, let lower, let upper, let isNegated):
      "\(value.operand)\(isNegated ? " NOT" : "") BETWEEN \(lower.operand) AND \(upper.operand)"
    case .quantified(let value, let known, let quantifier, let array):
      "\(value.operand) \(known.rawValue) \(quantifier.rawValue) (\(array.sql))"
    case .call(let name, let arguments): "\(name.sql(ofFunctionWith: arguments.count))(\(arguments.sqlList))"
    case .aggregate(let aggregate): aggregate.sql
    case .element(let value, let index): "(\(value.sql))[\(index.sql)]"
    case .array(let elements): "ARRAY[\(elements.sqlList)]"
    case .choice(let choices, let otherwise):
      "CASE \(choices.map { "WHEN \($0.condition.sql) THEN \($0.value.sql)" }.joined(separator: " ")) "
        + "ELSE \(otherwise.sql) END"
    case .query(let query): "(\(query.sql))"
    case .arrayOfQuery(let query): "ARRAY(\(query.sql))"
    case .exists(let query): "EXISTS (\(query.sql))"
    case .isInQuery(let value, let query): "\(value.operand) IN (\(query.sql))"
    case .quantifiedQuery(let value, let known, let quantifier, let query):
      "\(value.operand) \(known.rawValue) \(quantifier.rawValue) (\(query.sql))"
    }
  }

  /// The expression as part of another one.
  var operand: String {
    switch kind {
    case .constant(.integer(..<0)): "(\(sql))"
    case .constant(.number(let digits)) where digits.hasPrefix("-"): "(\(sql))"
    case .constant, .column, .keyword, .cast, .call, .aggregate, .array, .choice, .query, .arrayOfQuery, .exists: sql
    case .negated, .binary, .and, .or, .not, .test, .isIn, .between, .quantified, .element, .isInQuery,
      .quantifiedQuery:
      "(\(sql))"
    }
  }
}

extension [SQLExpression] {
  /// The expressions with commas between them.
  var sqlList: String { map(\.sql).joined(separator: ", ") }
}

extension SQLName {
  /// The name of a function with that many arguments: one that has a form of its own in SQL is no name in quotes.
  fileprivate func sql(ofFunctionWith arguments: Int) -> String {
    guard schema == nil else { return sql }
    return switch name {
    case "coalesce", "greatest", "least": arguments > 0 ? name : sql
    case "nullif": arguments == 2 ? name : sql
    default: sql
    }
  }
}

extension SQLConstant {
  /// The constant as SQL writes it.
  package var sql: String {
    switch self {
    case .null: "NULL"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let number): String(number)
    case .number(let digits): digits
    case .text(let text): text.quotedAsText
    }
  }
}
