/// What a function does, step by step: the part of PL/pgSQL and of SQL functions that is carried out.
package struct RoutineBody: Equatable, Sendable {
  /// A variable of a function.
  package struct Variable: Equatable, Sendable {
    /// What a variable has.
    package enum Kind: Equatable, Sendable {
      /// A value of that type, or a row if the type is a table.
      case value(SQLType)
      /// A value of the type of a column.
      case column(SQLName, String)
      /// A row of a table.
      case row(SQLName)
      /// The row that it gets.
      case record
    }

    /// The name.
    package var name: String
    /// What it has.
    package var kind: Kind
    /// The value that it has at first; nil for null.
    package var value: SQLExpression?

    /// A variable of that kind.
    package init(_ name: String, _ kind: Kind, _ value: SQLExpression? = nil) {
      self.name = name
      self.kind = kind
      self.value = value
    }
  }

  /// One step.
  package indirect enum Step: Equatable, Sendable {
    /// A variable, or a column of a row, gets a value.
    case assign(SQLColumn, SQLExpression)
    /// Variables get the values of the first row that a query finds, or null. A strict one must find just one row.
    case select(SQLQuery, into: [SQLColumn], isStrict: Bool)
    /// A query is carried out for what its functions do.
    case perform(SQLQuery)
    /// Rows are written. Variables get what is returned of the first row.
    case write(RowWrite, into: [SQLColumn])
    /// The steps behind the first condition that is true are done, or else the last ones.
    case branch([Branch], otherwise: [Step])
    /// Steps are done again and again.
    case loop(Loop, [Step], label: String?)
    /// A loop ends, or goes on with its next turn: that of the label, or the innermost one.
    case leave(label: String?, isContinue: Bool)
    /// Steps, and what is done with their errors.
    case block([Step], [Handler])
    /// The statement fails.
    case raise(Raise)
    /// A variable gets the number of rows of the last statement.
    case rowCount(SQLColumn)
    /// The function ends, with a value if it returns one.
    case returns(SQLExpression?)
    /// Rows are added to what the function returns.
    case returnsRows(SQLQuery)
    /// Rows are written, and what is returned of them is added to what the function returns.
    case returnsWritten(RowWrite)
    /// A row is added to what the function returns: a value, or that of its own columns.
    case returnsNext(SQLExpression?)
  }

  /// A condition and the steps behind it.
  package struct Branch: Equatable, Sendable {
    /// The condition.
    package var condition: SQLExpression
    /// The steps.
    package var steps: [Step]
  }

  /// How long a loop goes on.
  package enum Loop: Equatable, Sendable {
    /// Until it is left.
    case forever
    /// While a condition is true.
    case whileTrue(SQLExpression)
    /// For each number from one to another, by steps.
    case numbers(String, from: SQLExpression, to: SQLExpression, by: SQLExpression?, isReverse: Bool)
    /// For each row that a query finds.
    case rows([SQLColumn], SQLQuery)
    /// For each element of an array.
    case elements(SQLColumn, SQLExpression)
  }

  /// What is done with some errors.
  package struct Handler: Equatable, Sendable {
    /// The names or codes of the errors; `others` stands for all.
    package var conditions: [String]
    /// What is done.
    package var steps: [Step]
  }

  /// An error of a function's own.
  package struct Raise: Equatable, Sendable {
    /// The message, in which each `%` stands for the next value; nil for the error that is being handled, or for one of an option.
    package var format: String?
    /// The values.
    package var values: [SQLExpression] = []
    /// The code, or the name of an error.
    package var code: String?
    /// Its other parts by their names: `message`, `detail`, `hint` and `errcode`.
    package var options: [Option] = []

    /// A part of an error.
    package struct Option: Equatable, Sendable {
      /// The part's name.
      package var name: String
      /// Its text.
      package var value: SQLExpression

      /// A part of that name.
      package init(name: String, value: SQLExpression) {
        self.name = name
        self.value = value
      }
    }

    /// An error with that message.
    package init(_ format: String?, _ values: [SQLExpression] = [], code: String? = nil, options: [Option] = []) {
      self.format = format
      self.values = values
      self.code = code
      self.options = options
    }
  }

  /// The variables, in the order in which they get their first values.
  package var variables: [Variable]
  /// The steps, in their order.
  package var steps: [Step]
  /// Whether the steps are those of PL/pgSQL, whose names are looked up when a step is done.
  package var isLate = false

  /// Steps with those variables.
  package init(_ steps: [Step], variables: [Variable] = [], isLate: Bool = false) {
    self.variables = variables
    self.steps = steps
    self.isLate = isLate
  }
}

/// A statement that writes rows, outside of the schema's own rows.
package enum RowWrite: Equatable, Sendable {
  /// New rows.
  case insert(InsertRows)
  /// Other values for rows.
  case update(RowChange)
  /// Rows go.
  case delete(RowChange)

  /// What is returned of the rows.
  package var returning: [SQLQuery.Result] {
    switch self {
    case .insert(let rows): rows.returning
    case .update(let change), .delete(let change): change.returning
    }
  }

  /// Another value of a column.
  package struct Assignment: Equatable, Sendable {
    /// The column.
    package var column: String
    /// The value; nil for the default.
    package var value: SQLExpression?

    /// That value for the column.
    package init(_ column: String, _ value: SQLExpression?) {
      self.column = column
      self.value = value
    }
  }
}

/// A change of rows that are there.
package struct RowChange: Equatable, Sendable {
  /// The table.
  package var table: SQLName
  /// The name that it has in the statement if it is another.
  package var alias: String?
  /// Other values for columns; none where rows go.
  package var assignments: [RowWrite.Assignment] = []
  /// What else the statement reads.
  package var sources: [SQLQuery.Source] = []
  /// The condition for rows; nil for all.
  package var condition: SQLExpression?
  /// What is returned of the rows.
  package var returning: [SQLQuery.Result] = []
}
