/// What a function does, step by step: the part of PL/pgSQL and of SQL functions that is carried out.
package struct RoutineBody: Equatable, Sendable {
  /// A variable of a function.
  package struct Variable: Equatable, Sendable {
    /// The name.
    package var name: String
    /// The type.
    package var type: SQLType
    /// The value that it has at first; nil for null.
    package var value: SQLExpression?

    /// A variable of that type.
    package init(_ name: String, _ type: SQLType, _ value: SQLExpression? = nil) {
      self.name = name
      self.type = type
      self.value = value
    }
  }

  /// One step.
  package indirect enum Step: Equatable, Sendable {
    /// A variable, or a column of `new`, gets a value.
    case assign(SQLColumn, SQLExpression)
    /// Variables get the values of the first row that a query finds, or null.
    case select(SQLQuery, into: [SQLColumn])
    /// Rows are written. Variables get what an insert returns of its first row.
    case write(RowWrite, into: [SQLColumn])
    /// The steps behind the first condition that is true are done, or else the last ones.
    case branch([Branch], otherwise: [Step])
    /// The statement fails with that message, in which each `%` stands for the next value, and that code.
    case raise(String, [SQLExpression], code: String?)
    /// The function ends, with a value if it returns one.
    case returns(SQLExpression?)
  }

  /// A condition and the steps behind it.
  package struct Branch: Equatable, Sendable {
    /// The condition.
    package var condition: SQLExpression
    /// The steps.
    package var steps: [Step]
  }

  /// The variables, in the order in which they get their first values.
  package var variables: [Variable]
  /// The steps, in their order.
  package var steps: [Step]

  /// Steps with those variables.
  package init(_ steps: [Step], variables: [Variable] = []) {
    self.variables = variables
    self.steps = steps
  }
}

/// A statement that writes rows, outside of the schema's own rows.
package enum RowWrite: Equatable, Sendable {
  /// New rows.
  case insert(InsertRows)
  /// Other values for rows.
  case update(SQLName, alias: String?, [Assignment], where: SQLExpression?)
  /// Rows go.
  case delete(SQLName, alias: String?, where: SQLExpression?)

  /// Another value of a column.
  package struct Assignment: Equatable, Sendable {
    /// The column.
    package var column: String
    /// The value; nil for the default.
    package var value: SQLExpression?
  }
}
