/// A computation of a value: a default, a check, a policy's condition or a value of a seed row.
package struct SQLExpression: Equatable, Sendable {
  /// What is computed.
  package var kind: Kind
  /// Where it is written; for an operator with two sides, where the operator is.
  package var offset: SourceOffset

  /// An expression of that kind.
  package init(_ kind: Kind, at offset: SourceOffset = SourceOffset(0)) {
    self.kind = kind
    self.offset = offset
  }

  /// How a value is compared with all elements of a list.
  package enum Quantifier: String, Equatable, Sendable, CaseIterable {
    /// One element is enough.
    case any = "ANY"
    /// Every element counts.
    case all = "ALL"
  }

  /// A condition of a `CASE`, and the value behind it.
  package struct Choice: Equatable, Sendable {
    /// The condition.
    package var condition: SQLExpression
    /// The value.
    package var value: SQLExpression

    /// The value behind that condition.
    package init(_ condition: SQLExpression, _ value: SQLExpression) {
      self.condition = condition
      self.value = value
    }
  }

  /// What is computed.
  package indirect enum Kind: Equatable, Sendable {
    /// A constant.
    case constant(SQLConstant)
    /// The value of a column.
    case column(SQLColumn)
    /// The value that a keyword stands for.
    case keyword(SQLKeyword)
    /// A value converted to a type.
    case cast(SQLExpression, SQLType)
    /// The number with the other sign.
    case negated(SQLExpression)
    /// An operator between two values.
    case binary(SQLExpression, SQLOperator, SQLExpression)
    /// Whether all are true; two or more.
    case and([SQLExpression])
    /// Whether one is true; two or more.
    case or([SQLExpression])
    /// Whether it is false.
    case not(SQLExpression)
    /// A test of one value.
    case test(SQLExpression, SQLTest)
    /// Whether the value is, or is not, one of a list.
    case isIn(SQLExpression, [SQLExpression], isNegated: Bool)
    /// Whether the value lies between two others, or outside of them.
    case between(SQLExpression, SQLExpression, SQLExpression, isNegated: Bool)
    /// An operator between a value and the elements of an array.
    case quantified(SQLExpression, SQLOperator, Quantifier, SQLExpression)
    /// A function's result. `coalesce`, `nullif`, `greatest` and `least` are functions too.
    case call(SQLName, [SQLExpression])
    /// The result of a function of many rows, with an order, a filter or `DISTINCT`.
    case aggregate(SQLAggregate)
    /// An element of an array.
    case element(SQLExpression, SQLExpression)
    /// An array of values.
    case array([SQLExpression])
    /// The value behind the first condition that is true, or else the last one.
    case choice([Choice], otherwise: SQLExpression)
    /// The one value that a query finds.
    case query(SQLQuery)
    /// An array of the values that a query finds.
    case arrayOfQuery(SQLQuery)
    /// Whether a query finds a row.
    case exists(SQLQuery)
    /// Whether a query finds the value.
    case isInQuery(SQLExpression, SQLQuery)
    /// An operator between a value and those that a query finds.
    case quantifiedQuery(SQLExpression, SQLOperator, Quantifier, SQLQuery)
  }
}
