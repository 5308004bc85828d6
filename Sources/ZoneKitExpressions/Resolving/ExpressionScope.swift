import ZoneKitRelations
import ZoneKitSchema

/// Where an expression is written: the names that it may use, and what they stand for.
package struct ExpressionScope {
  /// What the names of the schema stand for.
  package var names: Names
  /// The time of literals such as `'now'`, in microseconds from 1970.
  package var now: Int64
  /// The tables of each query around the expression, the outermost first.
  var levels: [[RowSource]]
  /// Whether a column of a query may not have the name of a variable of the function around it (PL/pgSQL: variable_conflict).
  package var variablesAreDistinct = false
  /// The queries behind WITH around the expression, the outermost first.
  var named: [NamedQuery] = []
  /// The functions of rows that the query around it calls; nil where it may not call one.
  var aggregates: AggregateList?

  /// A scope whose expressions are about a row of each of those tables.
  package init(_ names: Names, _ rows: [RowSource] = [], now: Int64 = 0) {
    (self.names, self.now) = (names, now)
    levels = [rows]
  }

  /// The expression with types. A literal that nothing gives a type is a text.
  package func resolve(_ expression: SQLExpression) throws(ExpressionProblem) -> TypedExpression {
    try typed(operand(expression))
  }

  /// The expression as a condition behind those words, such as `CHECK`.
  package func condition(
    _ expression: SQLExpression, of construct: String
  ) throws(ExpressionProblem) -> TypedExpression {
    try boolean(operand(expression), construct)
  }

  /// The expression as a value of a column, converted as PostgreSQL does when a row is written.
  package func resolve(
    _ expression: SQLExpression, as column: ColumnShape, isDefault: Bool = false
  ) throws(ExpressionProblem) -> TypedExpression {
    let operand = try operand(expression)
    if let value = try coerced(operand, to: column.type, .assignment) { return value }
    let kind = isDefault ? "default expression" : "expression"
    throw ExpressionProblem(
      .typeMismatch,
      "column \"\(column.name)\" is of type \(column.type.name) but \(kind) is of type \(operand.slot.name)",
      at: expression.offset, hint: "You will need to rewrite or cast the expression.")
  }

  /// A part with a type. A literal is a text.
  func typed(_ operand: Operand) throws(ExpressionProblem) -> TypedExpression {
    switch operand.value {
    case .typed(let expression): return expression
    case .literal(let text): return TypedExpression(.constant(text.map { .text($0) } ?? .null), .text)
    case .interval: throw intervalProblem(at: operand.offset)
    }
  }

  /// The problem of a span of time that is not used with a time.
  func intervalProblem(at offset: SourceOffset) -> ExpressionProblem {
    ExpressionProblem(
      .notSupported, "an interval is supported only as a constant that is added to a time", at: offset)
  }

  /// A part as a condition of that construct.
  func boolean(_ operand: Operand, _ construct: String) throws(ExpressionProblem) -> TypedExpression {
    if let condition = try coerced(operand, to: .boolean, .assignment) { return condition }
    throw ExpressionProblem(
      .typeMismatch, "argument of \(construct) must be type boolean, not type \(operand.slot.name)",
      at: operand.offset)
  }
}
