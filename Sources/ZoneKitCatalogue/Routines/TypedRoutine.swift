import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// What a function does, with types, ready to be carried out.
///
/// Expressions are about one row of each of the sources: the parameters and variables, for a trigger `new` and `old`, and the
/// variables that are rows. Those of a statement about rows are about a row of its table, and see the sources one query further out.
package struct TypedRoutine: Equatable, Sendable {
  /// One step.
  package indirect enum Step: Equatable, Sendable {
    /// A value for a place.
    case assign(Slot, TypedExpression)
    /// The values of the first row that a query finds. A strict one must find just one row.
    case select(TypedQuery, into: Target, isStrict: Bool)
    /// A query whose rows nobody reads.
    case perform(TypedQuery)
    /// Another function is called. A place gets its value.
    case call(ObjectName, [TypedExpression], into: Slot?)
    /// Rows are written. Places get what is returned of the first one; or it is added to what the function returns.
    case write(TypedWrite, returning: [TypedExpression], into: Target?, isReturned: Bool)
    /// The steps behind the first condition that is true, or else the last ones.
    case branch([Branch], otherwise: [Step])
    /// Steps are done again and again.
    case loop(Loop, [Step], label: String?)
    /// A loop ends, or goes on.
    case leave(label: String?, isContinue: Bool)
    /// Steps, and what is done with their errors.
    case block([Step], [Handler])
    /// The statement fails.
    case raise(Raise)
    /// The statement fails, because what the step names is not there.
    case fails(SQLFailure)
    /// A place gets the number of rows of the last statement.
    case rowCount(Slot)
    /// The end, with a value if one is returned.
    case returns(TypedExpression?)
    /// The end of a trigger, with the row that is written; nil for none.
    case returnsRow(Row?)
    /// The end, with the row of that source.
    case returnsRecord(Int)
    /// The rows of a query are added to what the function returns.
    case returnsRows(TypedQuery)
    /// A row of those values is added to what the function returns.
    case returnsNext([TypedExpression])
  }

  /// A condition and the steps behind it.
  package struct Branch: Equatable, Sendable {
    package var condition: TypedExpression
    package var steps: [Step]
  }

  /// How long a loop goes on.
  package enum Loop: Equatable, Sendable {
    case forever
    case whileTrue(TypedExpression)
    case numbers(Slot, from: TypedExpression, to: TypedExpression, by: TypedExpression?, isReverse: Bool)
    case rows(TypedQuery, into: Target)
    case elements(Slot, TypedExpression)
  }

  /// What is done with some errors.
  package struct Handler: Equatable, Sendable {
    package var conditions: [String]
    package var steps: [Step]
  }

  /// An error of the function's own.
  package struct Raise: Equatable, Sendable {
    /// The message; nil for that of an option, or for the error that is being handled.
    package var format: String?
    package var values: [TypedExpression]
    package var code: String?
    /// Parts of the error by their names.
    package var options: [String: TypedExpression]
  }

  /// The rows of an insert.
  package enum NewRows: Equatable, Sendable {
    /// Values for columns by their places, row by row.
    case values([[Int: TypedExpression]])
    /// The rows of a query, for the columns at those places.
    case query(TypedQuery, [Int])
  }

  /// What gets a value.
  package enum Slot: Equatable, Sendable {
    /// A parameter or variable by its place.
    case variable(Int)
    /// A column of the row of a source.
    case column(source: Int, Int)
  }

  /// What gets the values of a row.
  package enum Target: Equatable, Sendable {
    /// Each place one.
    case slots([Slot])
    /// The row of a source.
    case row(Int)
  }

  /// A row of a trigger.
  package enum Row: Equatable, Sendable {
    case new
    case old
    /// The new row, or the old one where there is none.
    case newOrOld
  }

  /// What a function returns.
  package enum Result: Equatable, Sendable {
    /// Nothing, or the row of a trigger.
    case nothing
    case value(DatumType)
    case values(DatumType)
    /// Rows, or one row. The table whose rows they are, if they are those of one.
    case rows([ColumnShape], of: ObjectName?, isOne: Bool)
  }

  /// The first value of a variable.
  package struct InitialValue: Equatable, Sendable {
    package var place: Int
    package var value: TypedExpression
  }

  /// The function.
  package var name: ObjectName
  /// The types of parameters, variables, what a step tells, and what a trigger tells its function, in this order.
  package var variables: [ColumnShape]
  /// How many of them are parameters.
  package var parameterCount: Int
  /// The first values of the variables.
  package var initialValues: [InitialValue]
  /// How many values the rows of the sources behind the variables have, without those of a trigger.
  package var recordSizes: [Int]
  /// The steps.
  package var steps: [Step]
  /// What it returns.
  package var result: Result
  /// Whether it may read and write rows that its caller may not.
  package var isDefiner: Bool

  /// What steps tell those behind them: whether rows were found, and the error that is being handled.
  package static let told = [
    ColumnShape("found", .boolean), ColumnShape("sqlstate", .text), ColumnShape("sqlerrm", .text),
  ]

  /// The place of the first of what steps tell.
  package var toldPlace: Int {
    variables.firstIndex { $0 == Self.told[0] } ?? variables.count
  }
}

/// A statement that writes rows, with types.
package enum TypedWrite: Equatable, Sendable {
  /// New rows.
  case insert(ObjectName, TypedRoutine.NewRows, TypedConflict)
  /// Other values for rows, by the places of their columns.
  case update(ObjectName, [Int: TypedExpression], where: TypedExpression?)
  /// The values that a query finds for a row of the table, which is one query further out, for columns at those places.
  case updateFrom(ObjectName, [Int], TypedQuery)
  /// Rows go.
  case delete(ObjectName, where: TypedExpression?)
}

/// What is done with a new row that is there already.
package enum TypedConflict: Equatable, Sendable {
  /// The statement fails.
  case fails
  /// The new row is left out; the columns that are compared, or none for any key.
  case ignores([String])
  /// The row that is there gets other values, if a condition is true. Both are about the row that is there and the new one.
  case updates(key: [String], [Int: TypedExpression], where: TypedExpression?)
}
