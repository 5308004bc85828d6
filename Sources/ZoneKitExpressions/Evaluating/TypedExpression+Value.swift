import ZoneKitRelations

extension TypedExpression {
  /// The value for a row of the one table that the expression is about.
  package func value(of row: [Datum] = [], _ context: EvaluationContext) throws(SQLFailure) -> Datum {
    try value(in: [row], context)
  }

  /// The value for a row of each table that the expression is about.
  package func value(in rows: [[Datum]], _ context: EvaluationContext) throws(SQLFailure) -> Datum {
    try Evaluation(context: context, levels: [rows]).value(self)
  }

  /// The value for the rows of each query around the expression, the outermost first.
  package func value(inLevels levels: [[[Datum]]], _ context: EvaluationContext) throws(SQLFailure) -> Datum {
    try Evaluation(context: context, levels: levels).value(self)
  }

  /// Whether the condition is true for a row; it is not where it is false or null.
  package func isTrue(of row: [Datum] = [], _ context: EvaluationContext) throws(SQLFailure) -> Bool {
    try value(of: row, context) == .boolean(true)
  }
}

extension TypedQuery {
  /// The values of each row that the query finds, which is within no other one.
  package func rows(_ context: EvaluationContext) throws(SQLFailure) -> [[Datum]] {
    guard isCounting else { return try Evaluation(context: context, levels: [[]]).rows(self) }
    return [[try TypedExpression(.query(self), .bigint).value(of: [], context)]]
  }
}
