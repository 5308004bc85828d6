/// Changes of a table.
package struct AlterTable: Equatable, Sendable {
  /// The table.
  package var name: SQLName
  /// What is done, in order; one or more.
  package var actions: [Action]
  /// Whether the table may be missing.
  package var ifExists: Bool
  /// Whether `only` is written, which says that tables that inherit do not change.
  package var isOnly: Bool

  /// Changes of that table.
  package init(_ name: SQLName, _ actions: [Action], ifExists: Bool = false, isOnly: Bool = false) {
    self.name = name
    self.actions = actions
    self.ifExists = ifExists
    self.isOnly = isOnly
  }

  /// One change of a table.
  package enum Action: Equatable, Sendable {
    /// Another column.
    case addColumn(ColumnDefinition, ifNotExists: Bool)
    /// A column that goes, maybe with what depends on it.
    case dropColumn(String, ifExists: Bool, isCascading: Bool)
    /// Another constraint.
    case addConstraint(TableConstraint)
    /// A constraint that goes, maybe with what depends on it.
    case dropConstraint(String, ifExists: Bool, isCascading: Bool)
    /// Another default of a column.
    case setDefault(column: String, SQLExpression)
    /// The default of a column goes.
    case dropDefault(column: String)
    /// A column must have a value.
    case setNotNull(column: String)
    /// A column may be null.
    case dropNotNull(column: String)
    /// Another type of a column.
    case setType(column: String, SQLType)
    /// Whether policies decide about its rows, and for whom.
    case rowSecurity(RowSecurity)
    /// What is told of a row that is changed or deleted: the whole row, or its key.
    case replicaIdentity(isFull: Bool)
    /// Whether a view reads the rows alone that who asks may read.
    case securityInvoker(Bool)
    /// The owner, which has no effect here.
    case changeOwner(SQLRole)
  }

  /// Whether policies decide about rows. The raw value is how it is written.
  package enum RowSecurity: String, Equatable, Sendable, CaseIterable {
    case enabled = "ENABLE"
    case disabled = "DISABLE"
    case forced = "FORCE"
    case notForced = "NO FORCE"
  }
}
