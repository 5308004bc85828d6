/// A function for triggers that sets one column to the time of the transaction and does nothing else.
package struct StampFunction: Equatable, Sendable {
  /// The function.
  package var name: SQLName
  /// The column that it sets.
  package var column: String
  /// Whether it may replace one of that name.
  package var replaces: Bool

  /// A function that sets that column.
  package init(_ name: SQLName, sets column: String, replaces: Bool = false) {
    self.name = name
    self.column = column
    self.replaces = replaces
  }
}

/// A trigger that calls a function for each row before it is updated.
package struct CreateTrigger: Equatable, Sendable {
  /// The trigger's name.
  package var name: String
  /// The table.
  package var table: SQLName
  /// The function.
  package var function: SQLName
  /// What the function is given, as texts.
  package var arguments: [String]
  /// Whether it may replace one of that name.
  package var replaces: Bool

  /// A trigger of that table.
  package init(
    _ name: String, on table: SQLName, calls function: SQLName, _ arguments: [String] = [], replaces: Bool = false
  ) {
    self.name = name
    self.table = table
    self.function = function
    self.arguments = arguments
    self.replaces = replaces
  }
}
