import ZoneKitRelations
import ZoneKitSchema

/// A computation whose every part has a type. Each part takes values of just the types that it needs; where others are
/// given, a conversion stands between them.
package struct TypedExpression: Hashable, Sendable {
  /// What is computed.
  package var kind: Kind
  /// The type of the value.
  package var type: DatumType

  /// A computation of a value of that type.
  package init(_ kind: Kind, _ type: DatumType) {
    self.kind = kind
    self.type = type
  }

  /// What is computed.
  package indirect enum Kind: Hashable, Sendable {
    /// A constant of the expression's type.
    case constant(Datum)
    /// The value of a column.
    case column(ColumnPlace)
    /// A value converted to the expression's type. Texts that are too long are cut where that is written, and refused
    /// otherwise.
    case converted(TypedExpression, isExplicit: Bool)
    /// The number with the other sign.
    case negated(TypedExpression)
    /// An operator between two values. The types of both tell what it does.
    case binary(TypedExpression, SQLOperator, TypedExpression)
    /// A time that much later.
    case moved(TypedExpression, Interval)
    /// Whether all are true.
    case and([TypedExpression])
    /// Whether one is true.
    case or([TypedExpression])
    /// Whether it is false.
    case not(TypedExpression)
    /// A test that is never null.
    case test(TypedExpression, SQLTest)
    /// An operator between a value and the elements of an array.
    case quantified(TypedExpression, SQLOperator, SQLExpression.Quantifier, TypedExpression)
    /// A function's result.
    case call(TypedFunction, [TypedExpression])
    /// An element of an array, counted from one.
    case element(TypedExpression, TypedExpression)
    /// An array of values.
    case array([TypedExpression])
    /// The value behind the first condition that is true, or else the last one: conditions and values by turns.
    case choice([TypedExpression], otherwise: TypedExpression)
    /// The one value that a query finds; null if it finds none.
    case query(TypedQuery)
    /// An array of the values that a query finds.
    case arrayOfQuery(TypedQuery)
    /// Whether a query finds a row.
    case exists(TypedQuery)
    /// An operator between a value and those that a query finds.
    case quantifiedQuery(TypedExpression, SQLOperator, SQLExpression.Quantifier, TypedQuery)
  }
}

/// Where the value of a column is found.
package struct ColumnPlace: Hashable, Sendable {
  /// How many queries are between the expression and the one whose row has the column.
  package var level: Int
  /// Which of the tables of that query it is.
  package var source: Int
  /// Which of the table's columns it is.
  package var column: Int

  /// That column.
  package init(level: Int = 0, source: Int = 0, column: Int) {
    self.level = level
    self.source = source
    self.column = column
  }
}
