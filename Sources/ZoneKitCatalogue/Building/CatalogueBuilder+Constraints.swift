import ZoneKitRelations
import ZoneKitSchema

/// Keys, conditions and references of tables.
extension CatalogueBuilder {
  /// Adds constraints in the order in which PostgreSQL makes them: conditions, the primary key, other keys, references.
  mutating func add(_ constraints: [TableConstraint], to table: inout CatalogueTable) {
    for rank in 0..<4 {
      for constraint in constraints where constraint.rank == rank { add(constraint, to: &table) }
    }
  }

  private mutating func add(_ constraint: TableConstraint, to table: inout CatalogueTable) {
    switch constraint.kind {
    case .check(let condition):
      if condition.hasQuery { return refuse("cannot use subquery in check constraint", at: constraint.offset) }
      check(condition, of: table, as: "CHECK")
      let columns = condition.columnNames
      let parts = columns.count == 1 ? columns : []
      guard let name = name(constraint, parts, "check", of: &table) else { return }
      table.checks.append(CheckConstraint(name, condition))
      // PostgreSQL tests them in the order of their names.
      table.checks.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    case .primaryKey(let columns): addPrimaryKey(constraint, columns, to: &table)
    case .unique(let columns, let nullsNotDistinct):
      guard isKey(columns, "unique", of: table, at: constraint.offset) else { return }
      guard let name = indexName(constraint.name, columns, "key", of: &table, at: constraint.offset) else { return }
      table.uniques.append(KeyConstraint(name, columns, nullsNotDistinct: nullsNotDistinct))
    case .foreignKey(let columns, let reference): add(constraint, columns, reference, to: &table)
    case .index(let name, let isPrimaryKey): promote(name, isPrimaryKey: isPrimaryKey, constraint, in: &table)
    }
  }

  /// Makes a unique index the key of a table, or a constraint.
  private mutating func promote(
    _ name: String, isPrimaryKey: Bool, _ constraint: TableConstraint, in table: inout CatalogueTable
  ) {
    guard let index = table.indexes.first(where: { $0.name == name }) else {
      return refuse("index \"\(name)\" does not exist", at: constraint.offset)
    }
    guard index.isUnique, let columns = index.plainColumns else {
      return refuse("\"\(name)\" is not a unique index of columns", at: constraint.offset)
    }
    table.indexes.removeAll { $0.name == name }
    forgetNames(of: &table)
    var own = constraint
    own.name = constraint.name ?? name
    own.kind = isPrimaryKey ? .primaryKey(columns) : .unique(columns, nullsNotDistinct: false)
    add(own, to: &table)
  }

  private mutating func addPrimaryKey(
    _ constraint: TableConstraint, _ columns: [String], to table: inout CatalogueTable
  ) {
    guard table.primaryKey == nil else {
      let message = "multiple primary keys for table \"\(table.name.name)\" are not allowed"
      return refuse(message, at: constraint.offset)
    }
    guard isKey(columns, "primary key", of: table, at: constraint.offset) else { return }
    guard let name = indexName(constraint.name, [], "pkey", of: &table, at: constraint.offset) else { return }
    table.primaryKey = KeyConstraint(name, columns)
    for column in columns { if let index = table.index(of: column) { table.columns[index].isNullable = false } }
  }

  /// Whether the columns can be a key of the table; a problem if not.
  private mutating func isKey(
    _ columns: [String], _ kind: String, of table: CatalogueTable, at offset: SourceOffset
  ) -> Bool {
    guard columns.count <= Self.keyColumnLimit else {
      refuse("cannot use more than \(Self.keyColumnLimit) columns in an index", at: offset)
      return false
    }
    for (number, column) in columns.enumerated() {
      guard let found = table.column(column) else {
        refuse("column \"\(column)\" named in key does not exist", at: offset)
        return false
      }
      if columns[..<number].contains(where: { $0.utf8.elementsEqual(column.utf8) }) {
        refuse("column \"\(column)\" appears twice in \(kind) constraint", at: offset)
        return false
      }
      guard canOrder(found.type, at: offset) else { return false }
    }
    return true
  }

  /// Whether values of a type have an order; a problem if not.
  mutating func canOrder(_ type: DatumType, at offset: SourceOffset) -> Bool {
    guard type == .json || type == .array(.json) else { return true }
    refuse("data type json has no default operator class for access method \"btree\"", at: offset)
    return false
  }

  // MARK: References

  private mutating func add(
    _ constraint: TableConstraint, _ columns: [String], _ reference: TableReference, to table: inout CatalogueTable
  ) {
    let target = Catalogue.full(reference.table)
    guard let parent = target == table.name ? table : self.table(reference.table) else { return }
    guard parent.view == nil else {
      return refuse("referenced relation \"\(parent.name.name)\" is not a table", at: constraint.offset)
    }
    for column in columns where table.index(of: column) == nil {
      let message = "column \"\(column)\" referenced in foreign key constraint does not exist"
      return refuse(message, at: constraint.offset)
    }
    guard let wanted = targetColumns(reference, in: parent, at: constraint.offset) else { return }
    guard columns.count == wanted.count, columns.count <= Self.keyColumnLimit else {
      let message = "number of referencing and referenced columns for foreign key disagree"
      return refuse(message, at: constraint.offset)
    }
    guard let name = name(constraint, columns, "fkey", of: &table) else { return }
    for (own, other) in zip(columns, wanted) {
      guard let first = table.column(own)?.type, let second = parent.column(other)?.type else { continue }
      guard first.isComparable(to: second) else {
        let types =
          "key columns \"\(own)\" and \"\(other)\" are of incompatible types: \(first.name) and \(second.name)"
        return refuse("foreign key constraint \"\(name)\" cannot be implemented: \(types)", at: constraint.offset)
      }
    }
    table.foreignKeys.append(
      ForeignKeyConstraint(
        name, columns, to: target, wanted, onDelete: reference.onDelete, onUpdate: reference.onUpdate))
  }

  /// The columns of the key that a reference names; a problem and nil if they are none.
  private mutating func targetColumns(
    _ reference: TableReference, in parent: CatalogueTable, at offset: SourceOffset
  ) -> [String]? {
    guard !reference.columns.isEmpty else {
      if let key = parent.primaryKey { return key.columns }
      refuse("there is no primary key for referenced table \"\(parent.name.name)\"", at: offset)
      return nil
    }
    for column in reference.columns where parent.index(of: column) == nil {
      refuse("column \"\(column)\" referenced in foreign key constraint does not exist", at: offset)
      return nil
    }
    let wanted = Set(reference.columns.map { Array($0.utf8) })
    let keys = parent.keys.map(\.columns) + parent.indexes.filter(\.isUnique).compactMap(\.plainColumns)
    if keys.contains(where: { $0.count == wanted.count && Set($0.map { Array($0.utf8) }) == wanted }) {
      return reference.columns
    }
    let message = "there is no unique constraint matching given keys for referenced table \"\(parent.name.name)\""
    refuse(message, at: offset)
    return nil
  }

  // MARK: Names

  /// The constraint's own name, or one that PostgreSQL would choose; a problem and nil if it is taken.
  private mutating func name(
    _ constraint: TableConstraint, _ columns: [String], _ label: String, of table: inout CatalogueTable
  ) -> String? {
    let taken = table.constraintNames
    let name = constraint.name ?? chosenName(columns, label, of: table) { taken.contains($0) }
    guard table.constraintNames.insert(name).inserted else {
      // PostgreSQL has other words for two conditions of one name.
      let message =
        table.checks.contains { $0.name == name } && constraint.rank == 0
        ? "check constraint \"\(name)\" already exists"
        : "constraint \"\(name)\" for relation \"\(table.name.name)\" already exists"
      refuse(message, at: constraint.offset)
      return nil
    }
    return hasRoom(table, at: constraint.offset) ? name : nil
  }

  /// The name of a new index: its own, or one that PostgreSQL would choose; a problem and nil if it is taken.
  mutating func indexName(
    _ own: String?, _ columns: [String], _ label: String, of table: inout CatalogueTable, at offset: SourceOffset
  ) -> String? {
    let (taken, relations, schema, itself) = (
      table.constraintNames, relationNames, table.name.schema, table.name.name
    )
    let isTaken = { name in
      taken.contains(name) || relations.contains(ObjectName(schema, name)) || name == itself
    }
    let name = own ?? chosenName(columns, label, of: table, unless: isTaken)
    guard !isTaken(name) else {
      refuse("relation \"\(name)\" already exists", at: offset)
      return nil
    }
    guard hasRoom(table, at: offset) else { return nil }
    table.constraintNames.insert(name)
    newIndexNames.insert(ObjectName(schema, name))
    return name
  }

  private mutating func chosenName(
    _ columns: [String], _ label: String, of table: CatalogueTable, unless isTaken: (String) -> Bool
  ) -> String {
    let base = ConstraintName.made(table.name.name, columns, label, number: 0)
    while true {
      let number = nameNumbers[base, default: 0]
      nameNumbers[base] = number + 1
      let name = ConstraintName.made(table.name.name, columns, label, number: number)
      if !isTaken(name) { return name }
    }
  }

  /// Whether the table may have another constraint or index; a problem if not.
  private mutating func hasRoom(_ table: CatalogueTable, at offset: SourceOffset) -> Bool {
    guard table.constraintNames.count > Self.constraintLimit else { return true }
    let limit = "a table has at most \(Self.constraintLimit) constraints and indexes"
    refuse("\(table.name) has more of them: \(limit)", at: offset)
    return false
  }

  /// The most constraints and indexes of a table. The work that a row makes grows with them.
  private static let constraintLimit = 1_000
  /// The most columns of a key or an index (PostgreSQL 15: appendix K).
  static let keyColumnLimit = 32
}

extension TableConstraint {
  /// The place in the order in which PostgreSQL makes constraints.
  fileprivate var rank: Int {
    switch kind {
    case .check: 0
    case .primaryKey: 1
    case .unique, .index: 2
    case .foreignKey: 3
    }
  }
}

extension DatumType {
  /// Whether a value of one type can be equal to one of the other in a foreign key.
  fileprivate func isComparable(to other: DatumType) -> Bool { family == other.family }

  private var family: String {
    switch self {
    case .smallint, .integer, .bigint, .numeric, .real, .doublePrecision: "number"
    case .text, .varchar: "text"
    case .date, .timestamp, .timestamptz: "time"
    default: name
    }
  }
}
