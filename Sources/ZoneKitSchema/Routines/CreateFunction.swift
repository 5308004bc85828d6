/// A function of a schema: what it is given, what it does, and what it returns.
package struct CreateFunction: Equatable, Sendable {
  /// A value that a function is given.
  package struct Parameter: Equatable, Sendable {
    /// The name; `$1` and so on where only the type is written.
    package var name: String
    /// The type.
    package var type: SQLType
    /// The value where none is given; nil if one must be given.
    package var defaultValue: SQLExpression?

    /// A parameter of that type.
    package init(_ name: String, _ type: SQLType, defaultValue: SQLExpression? = nil) {
      self.name = name
      self.type = type
      self.defaultValue = defaultValue
    }
  }

  /// What a function returns.
  package enum Result: Equatable, Sendable {
    /// The row that its trigger writes.
    case trigger
    /// A value of that type, or a row if the type is a table.
    case value(SQLType)
    /// Nothing.
    case nothing
    /// Values of that type, or rows if the type is a table.
    case values(SQLType)
    /// Rows with those columns, which are variables too.
    case rows([Parameter])
    /// Anything else that only a fixed answer can stand for.
    case other
  }

  /// What a function does.
  package enum Body: Equatable, Sendable {
    /// Steps that can be carried out.
    case steps(RoutineBody)
    /// Anything else, with the reason why it cannot be carried out. Only a fixed answer can stand for it.
    case unsupported(String)
  }

  /// The function.
  package var name: SQLName
  /// What it is given.
  package var parameters: [Parameter]
  /// What it returns.
  package var result: Result
  /// What it does.
  package var body: Body
  /// Whether it may read and write rows that its caller may not.
  package var isDefiner: Bool
  /// Whether it may replace one of that name.
  package var replaces: Bool
  /// The statement as it is written.
  package var sql: String

  /// A function that does that.
  package init(
    _ name: SQLName, _ parameters: [Parameter] = [], returns result: Result, _ body: Body, isDefiner: Bool = false,
    replaces: Bool = false, sql: String
  ) {
    self.name = name
    self.parameters = parameters
    self.result = result
    self.body = body
    self.isDefiner = isDefiner
    self.replaces = replaces
    self.sql = sql
  }
}

/// A trigger that calls a function for each row that is written.
package struct CreateTrigger: Equatable, Sendable {
  /// What a trigger waits for. The raw value is how it is written.
  package enum Event: String, Equatable, Hashable, Sendable, CaseIterable {
    case insert = "INSERT"
    case update = "UPDATE"
    case delete = "DELETE"
  }

  /// The trigger's name.
  package var name: String
  /// The table.
  package var table: SQLName
  /// Whether it fires before the row is written; otherwise at the end of the statement.
  package var isBefore: Bool
  /// What it waits for, in the order of `Event.allCases`; one or more.
  package var events: [Event]
  /// The columns whose updates it waits for; none for every update.
  package var columns: [String]
  /// The condition for rows; nil for all.
  package var condition: SQLExpression?
  /// The function.
  package var function: SQLName
  /// What the function is given, as texts.
  package var arguments: [String]
  /// Whether it may replace one of that name.
  package var replaces: Bool

  /// A trigger of that table.
  package init(
    _ name: String, on table: SQLName, isBefore: Bool = true, _ events: [Event] = [.update], of columns: [String] = [],
    when condition: SQLExpression? = nil, calls function: SQLName, _ arguments: [String] = [], replaces: Bool = false
  ) {
    self.name = name
    self.table = table
    self.isBefore = isBefore
    self.events = events
    self.columns = columns
    self.condition = condition
    self.function = function
    self.arguments = arguments
    self.replaces = replaces
  }
}
