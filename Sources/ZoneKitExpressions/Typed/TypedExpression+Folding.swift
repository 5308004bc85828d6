import ZoneKitRelations

extension TypedExpression {
  /// The expression in which parts that have the same value for each row are constants, such as `auth.uid()`. Parts that
  /// fail, and those that are random, stay as they are.
  package func folded(_ context: EvaluationContext) -> TypedExpression {
    if case .constant = kind { return self }
    if isStable {
      guard let value = try? value(of: [], context) else { return self }
      return TypedExpression(.constant(value), type)
    }
    return switch kind {
    case .and(let parts): TypedExpression(.and(parts.map { $0.folded(context) }), type)
    case .or(let parts): TypedExpression(.or(parts.map { $0.folded(context) }), type)
    case .not(let value): TypedExpression(.not(value.folded(context)), type)
    case .binary(let left, let known, let right):
      TypedExpression(.binary(left.folded(context), known, right.folded(context)), type)
    case .exists(let query): TypedExpression(.exists(query.folded(context)), type)
    case .quantifiedQuery(let value, let known, let quantifier, let query):
      TypedExpression(.quantifiedQuery(value.folded(context), known, quantifier, query.folded(context)), type)
    case .quantified(let value, let known, let quantifier, let array):
      TypedExpression(.quantified(value.folded(context), known, quantifier, array.folded(context)), type)
    default: self
    }
  }

  /// Whether it has the same value for each row of a statement.
  private var isStable: Bool {
    switch kind {
    // A query for a value that needs no table, as policies write to have it computed once.
    case .query(let query):
      query.isPlain && query.sources.isEmpty && query.condition == nil && query.results.allSatisfy(\.isStable)
    case .column, .exists, .arrayOfQuery, .quantifiedQuery: false
    case .call(.randomUUID, _), .call(.random, _), .call(.clockTime, _): false
    default: parts.allSatisfy(\.isStable)
    }
  }
}

extension TypedQuery {
  fileprivate func folded(_ context: EvaluationContext) -> TypedQuery {
    var folded = self
    folded.condition = condition?.folded(context)
    return folded
  }
}
