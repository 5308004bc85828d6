import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Tables and their columns.
extension CatalogueBuilder {
  mutating func create(_ new: CreateTable, at offset: SourceOffset) {
    let name = Catalogue.full(new.name)
    if relationNames.contains(name) {
      guard new.ifNotExists else { return refuse("relation \"\(name.name)\" already exists", at: new.name.offset) }
      return
    }
    guard name.schema == ObjectName.usualSchema else {
      return refuse("tables are made in the schema public: write public.\(name.name)", at: new.name.offset)
    }
    guard catalogue.tables.count < Self.tableLimit else {
      return refuse("a schema has at most \(Self.tableLimit) tables", at: new.name.offset)
    }
    guard new.columns.count <= Self.columnLimit else {
      return refuse("tables can have at most \(Self.columnLimit) columns", at: new.name.offset)
    }
    var table = CatalogueTable(name)
    for column in new.columns { add(column, to: &table) }
    let columnConstraints = new.columns.flatMap { $0.tableConstraints }
    add(columnConstraints + new.constraints, to: &table)
    for column in new.columns { checkGenerated(column.name, of: table, at: column.offset) }
    guard isAccepted else {
      refusedTables.insert(name)
      return
    }
    relationNames.insert(name)
    keep(table)
    applyDefaultPrivileges(to: name)
  }

  /// The most tables of a schema, with those of the server. Some statements look at all of them.
  static let tableLimit = 2_000
  /// The most columns of a table (PostgreSQL 15: appendix K).
  static let columnLimit = 1_600

  /// Adds a column without the constraints that are of the table.
  mutating func add(_ column: ColumnDefinition, to table: inout CatalogueTable) {
    if table.index(of: column.name) != nil {
      return refuse("column \"\(column.name)\" specified more than once", at: column.offset)
    }
    if Self.systemColumns.contains(column.name) {
      return refuse("column name \"\(column.name)\" conflicts with a system column name", at: column.offset)
    }
    guard let type = type(column.type) else { return }
    var new = CatalogueColumn(column.name, type)
    if column.type.kind.isSerial {
      guard !column.type.isArray else { return refuse("an array of a serial type is no type", at: column.type.offset) }
      (new.identity, new.isNullable) = (.serial, false)
    }
    var isNull: Bool?
    for constraint in column.constraints { apply(constraint, to: &new, of: table.name, isNull: &isNull) }
    table.columns.append(new)
  }

  /// Checks what a column is computed of.
  mutating func checkGenerated(_ name: String, of table: CatalogueTable, at offset: SourceOffset) {
    guard let column = table.column(name), let value = column.generated else { return }
    if value.hasQuery { return refuse("cannot use subquery in column generation expression", at: offset) }
    for other in value.columnNames where table.column(other)?.generated != nil {
      return refuse("cannot use generated column \"\(other)\" in column generation expression", at: offset)
    }
    let scope = ExpressionScope(catalogue.names(with: table), [RowSource(table.shape)])
    var typed: TypedExpression?
    check { () throws(ExpressionProblem) in typed = try scope.resolve(value, as: column.shape) }
    if let typed, !typed.isImmutable { refuse("generation expression is not immutable", at: offset) }
  }

  /// The columns that each table of PostgreSQL has beside those of its own.
  private static let systemColumns = ["ctid", "xmin", "cmin", "xmax", "cmax", "tableoid"]

  private mutating func apply(
    _ constraint: ColumnConstraint, to column: inout CatalogueColumn, of table: ObjectName, isNull: inout Bool?
  ) {
    let place = "column \"\(column.name)\" of table \"\(table.name)\""
    switch constraint.kind {
    case .null, .notNull:
      let wanted = constraint.kind == .null
      if let isNull, isNull != wanted {
        return refuse("conflicting NULL/NOT NULL declarations for \(place)", at: constraint.offset)
      }
      isNull = wanted
      if wanted, column.identity != nil {
        return refuse("conflicting NULL/NOT NULL declarations for \(place)", at: constraint.offset)
      }
      column.isNullable = wanted
    case .defaultValue(let value):
      if column.defaultValue != nil {
        return refuse("multiple default values specified for \(place)", at: constraint.offset)
      }
      if column.identity != nil {
        let what = column.identity == .serial ? "multiple default values" : "both default and identity"
        return refuse("\(what) specified for \(place)", at: constraint.offset)
      }
      if isNumber(of: value) {
        column.identity = .serial
        return
      }
      check(default: value, of: column, at: constraint.offset)
      column.defaultValue = value
    case .generated(let value):
      if column.defaultValue != nil || column.identity != nil {
        return refuse("both default and generation expression specified for \(place)", at: constraint.offset)
      }
      column.generated = value
    case .identity(let isAlways):
      guard [.smallint, .integer, .bigint].contains(column.type) else {
        return refuse("identity column type must be smallint, integer, or bigint", at: constraint.offset)
      }
      if column.identity != nil || column.defaultValue != nil {
        return refuse("both default and identity specified for \(place)", at: constraint.offset)
      }
      if isNull == true {
        return refuse("conflicting NULL/NOT NULL declarations for \(place)", at: constraint.offset)
      }
      (column.identity, column.isNullable) = (isAlways ? .always : .byDefault, false)
    case .primaryKey, .unique, .check, .references: break
    }
  }
}

extension SQLType.Kind {
  /// Whether it counts up.
  fileprivate var isSerial: Bool {
    switch self {
    case .smallserial, .serial, .bigserial: true
    default: false
    }
  }
}

extension ColumnDefinition {
  /// The constraints of the column that are written as those of a table too.
  var tableConstraints: [TableConstraint] {
    constraints.compactMap { constraint in
      let kind: TableConstraint.Kind
      switch constraint.kind {
      case .primaryKey: kind = .primaryKey([name])
      case .unique(let nullsNotDistinct): kind = .unique([name], nullsNotDistinct: nullsNotDistinct)
      case .check(let condition): kind = .check(condition)
      case .references(let reference): kind = .foreignKey([name], reference)
      case .null, .notNull, .defaultValue, .generated, .identity: return nil
      }
      return TableConstraint(name: constraint.name, kind, at: constraint.offset)
    }
  }
}
