/// A table with its columns and constraints.
package struct CreateTable: Equatable, Sendable {
  /// The table.
  package var name: SQLName
  /// Its columns, in their order.
  package var columns: [ColumnDefinition]
  /// The constraints that are written beside the columns.
  package var constraints: [TableConstraint]
  /// Whether it may exist already.
  package var ifNotExists: Bool

  /// A table with those columns.
  package init(
    _ name: SQLName, _ columns: [ColumnDefinition], _ constraints: [TableConstraint] = [], ifNotExists: Bool = false
  ) {
    self.name = name
    self.columns = columns
    self.constraints = constraints
    self.ifNotExists = ifNotExists
  }
}

/// A column of a table.
package struct ColumnDefinition: Equatable, Sendable {
  /// The column's name.
  package var name: String
  /// The type of its values.
  package var type: SQLType
  /// Its constraints, in the order in which they are written.
  package var constraints: [ColumnConstraint]
  /// Where the column is written.
  package var offset: SourceOffset

  /// A column of that type.
  package init(
    _ name: String, _ type: SQLType, _ constraints: [ColumnConstraint] = [], at offset: SourceOffset = SourceOffset(0)
  ) {
    self.name = name
    self.type = type
    self.constraints = constraints
    self.offset = offset
  }
}

/// A constraint of one column, or its default.
package struct ColumnConstraint: Equatable, Sendable {
  /// What is demanded.
  package enum Kind: Equatable, Sendable {
    /// The column may be null, as it may without this.
    case null
    /// The column has a value.
    case notNull
    /// The value of a new row that names none.
    case defaultValue(SQLExpression)
    /// The column is the key.
    case primaryKey
    /// No two rows have the same value; whether two nulls count as the same.
    case unique(nullsNotDistinct: Bool)
    /// The condition is not false.
    case check(SQLExpression)
    /// The value is that of a row of another table.
    case references(TableReference)
    /// The value is computed of the other columns when a row is written.
    case generated(SQLExpression)
    /// The server counts; whether a writer may name a value.
    case identity(isAlways: Bool)
  }

  /// The constraint's name; nil where none is written.
  package var name: String?
  /// What is demanded.
  package var kind: Kind
  /// Where it is written.
  package var offset: SourceOffset

  /// A constraint of that kind.
  package init(name: String? = nil, _ kind: Kind, at offset: SourceOffset = SourceOffset(0)) {
    self.name = name
    self.kind = kind
    self.offset = offset
  }
}

/// A constraint of a table.
package struct TableConstraint: Equatable, Sendable {
  /// What is demanded.
  package enum Kind: Equatable, Sendable {
    /// The columns are the key.
    case primaryKey([String])
    /// No two rows have the same values in the columns; whether two nulls count as the same.
    case unique([String], nullsNotDistinct: Bool)
    /// The condition is not false.
    case check(SQLExpression)
    /// The values of the columns are those of a row of another table.
    case foreignKey([String], TableReference)
    /// A unique index becomes the key, or a constraint.
    case index(String, isPrimaryKey: Bool)
  }

  /// The constraint's name; nil where none is written.
  package var name: String?
  /// What is demanded.
  package var kind: Kind
  /// Where it is written.
  package var offset: SourceOffset

  /// A constraint of that kind.
  package init(name: String? = nil, _ kind: Kind, at offset: SourceOffset = SourceOffset(0)) {
    self.name = name
    self.kind = kind
    self.offset = offset
  }
}
