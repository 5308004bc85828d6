/// A policy for the rows of a table: who may do what with which of them.
package struct CreatePolicy: Equatable, Sendable {
  /// What a policy is about. The raw value is how it is written.
  package enum Command: String, Equatable, Sendable, CaseIterable {
    case all = "ALL"
    case select = "SELECT"
    case insert = "INSERT"
    case update = "UPDATE"
    case delete = "DELETE"
  }

  /// The policy's name.
  package var name: String
  /// The table.
  package var table: SQLName
  /// Whether one such policy is enough to allow a row; otherwise each must allow it.
  package var isPermissive: Bool
  /// What it is about.
  package var command: Command
  /// Whom it is about; one or more.
  package var roles: [SQLRole]
  /// The condition for rows that are there; nil where none is written.
  package var using: SQLExpression?
  /// The condition for rows that are written; nil where none is written.
  package var withCheck: SQLExpression?

  /// A policy for that table.
  package init(
    _ name: String, on table: SQLName, isPermissive: Bool = true, for command: Command = .all,
    to roles: [SQLRole] = [.everyone], using: SQLExpression? = nil, withCheck: SQLExpression? = nil
  ) {
    self.name = name
    self.table = table
    self.isPermissive = isPermissive
    self.command = command
    self.roles = roles
    self.using = using
    self.withCheck = withCheck
  }
}

/// Other roles or conditions of a policy.
package struct AlterPolicy: Equatable, Sendable {
  /// The policy's name.
  package var name: String
  /// The table.
  package var table: SQLName
  /// Whom it is about; nil if that stays.
  package var roles: [SQLRole]?
  /// The condition for rows that are there; nil if that stays.
  package var using: SQLExpression?
  /// The condition for rows that are written; nil if that stays.
  package var withCheck: SQLExpression?

  /// A change of that policy.
  package init(
    name: String, table: SQLName, roles: [SQLRole]? = nil, using: SQLExpression? = nil, withCheck: SQLExpression? = nil
  ) {
    self.name = name
    self.table = table
    self.roles = roles
    self.using = using
    self.withCheck = withCheck
  }
}
