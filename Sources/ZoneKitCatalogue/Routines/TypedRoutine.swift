import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// What a function does, with types, ready to be carried out.
///
/// Expressions are about one row of each of the `sources`: the parameters and variables, and for a trigger `new` and `old`. Those
/// of a statement about rows are about a row of its table, and see the sources one query further out.
package struct TypedRoutine: Equatable, Sendable {
  /// One step.
  package indirect enum Step: Equatable, Sendable {
    /// A value for a place.
    case assign(Slot, TypedExpression)
    /// The values of the first row that a query finds.
    case select(TypedQuery, into: [Slot])
    /// New rows. Places get what is returned of the first one.
    case insert(ObjectName, NewRows, InsertRows.Conflict, returning: [TypedExpression], into: [Slot])
    /// Other values for rows, by the places of their columns.
    case update(ObjectName, [Int: TypedExpression], where: TypedExpression?)
    /// Rows go.
    case delete(ObjectName, where: TypedExpression?)
    /// The steps behind the first condition that is true, or else the last ones.
    case branch([(condition: TypedExpression, steps: [Step])], otherwise: [Step])
    /// The statement fails.
    case raise(String, [TypedExpression], code: String)
    /// The end, with a value if one is returned.
    case returns(TypedExpression?)
    /// The end of a trigger, with the row that is written; nil for none.
    case returnsRow(Row?)

    package static func == (first: Step, second: Step) -> Bool {
      switch (first, second) {
      case (.assign(let a, let b), .assign(let c, let d)): a == c && b == d
      case (.select(let a, let b), .select(let c, let d)): a == c && b == d
      case (.insert(let a, let b, let c, let d, let e), .insert(let f, let g, let h, let i, let j)):
        a == f && b == g && c == h && d == i && e == j
      case (.update(let a, let b, let c), .update(let d, let e, let f)): a == d && b == e && c == f
      case (.delete(let a, let b), .delete(let c, let d)): a == c && b == d
      case (.branch(let a, let b), .branch(let c, let d)):
        a.map(\.condition) == c.map(\.condition) && a.map(\.steps) == c.map(\.steps) && b == d
      case (.raise(let a, let b, let c), .raise(let d, let e, let f)): a == d && b == e && c == f
      case (.returns(let a), .returns(let b)): a == b
      case (.returnsRow(let a), .returnsRow(let b)): a == b
      default: false
      }
    }
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
    /// A column of `new`.
    case new(Int)
  }

  /// A row of a trigger.
  package enum Row: Equatable, Sendable {
    case new
    case old
  }

  /// The function.
  package var name: ObjectName
  /// The types of parameters, variables and what a trigger tells its function, in this order.
  package var variables: [ColumnShape]
  /// How many of them are parameters.
  package var parameterCount: Int
  /// The first values of the variables, by their places.
  package var initialValues: [(place: Int, value: TypedExpression)]
  /// The steps.
  package var steps: [Step]
  /// What it returns; nil for a trigger and for nothing.
  package var result: DatumType?
  /// Whether it may read and write rows that its caller may not.
  package var isDefiner: Bool

  /// Whether both do the same.
  package static func == (first: TypedRoutine, second: TypedRoutine) -> Bool {
    first.name == second.name && first.variables == second.variables && first.steps == second.steps
      && first.initialValues.map(\.value) == second.initialValues.map(\.value) && first.result == second.result
      && first.isDefiner == second.isDefiner
  }
}
