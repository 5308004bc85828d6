/// Another name for an object.
package struct RenameStatement: Equatable, Sendable {
  /// What gets the name.
  package enum Subject: Equatable, Sendable {
    /// A table or a view.
    case table(SQLName)
    /// A column of a table or a view.
    case column(String, of: SQLName)
    /// A constraint of a table.
    case constraint(String, of: SQLName)
    /// An index.
    case index(SQLName)
    /// A type.
    case type(SQLName)
    /// A value of an enum.
    case enumValue(String, of: SQLName)
    /// A policy of a table.
    case policy(String, of: SQLName)
    /// A trigger of a table.
    case trigger(String, of: SQLName)
    /// A function.
    case function(SQLName)
  }

  /// What gets the name.
  package var subject: Subject
  /// The name.
  package var name: String
  /// Whether the table may be missing.
  package var ifExists: Bool

  /// That name for an object.
  package init(_ subject: Subject, to name: String, ifExists: Bool = false) {
    self.subject = subject
    self.name = name
    self.ifExists = ifExists
  }
}
