import ZoneKitRelations
import ZoneKitSchema

/// Changes of tables.
extension CatalogueBuilder {
  mutating func alter(_ change: AlterTable, at offset: SourceOffset) {
    if change.ifExists, catalogue.table(change.name) == nil { return }
    if change.name.schema == "storage", change.actions.allSatisfy(\.isAboutAccess) { return }
    if let view = catalogue.table(change.name), view.view != nil { return alter(view, change, at: offset) }
    guard var table = ownTable(change.name) else { return }
    for action in change.actions {
      apply(action, to: &table, at: offset)
      keep(table)
      checkViews(behind: action, of: table.name, at: offset)
    }
  }

  /// Views may stand against a change of what they read.
  private mutating func checkViews(behind action: AlterTable.Action, of table: ObjectName, at offset: SourceOffset) {
    guard isAccepted else { return }
    switch action {
    case .dropColumn(let column, _, let isCascading):
      dropViews(of: "column \(column) of table \(table)", isCascading: isCascading, at: offset)
    case .setType(let column, _):
      let changed = catalogue.tables.values.sorted { $0.name < $1.name }.first { view in
        guard view.view != nil, let query = (try? catalogue.query(ofView: view.name)) ?? nil else { return false }
        return query.results.map(\.type) != view.columns.map(\.type)
      }
      guard let changed else { return }
      refuse("cannot alter type of a column used by a view: the view \(changed.name) reads \(column)", at: offset)
    default: break
    }
  }

  private mutating func apply(_ action: AlterTable.Action, to table: inout CatalogueTable, at offset: SourceOffset) {
    switch action {
    case .addColumn(let column, let ifNotExists):
      if table.index(of: column.name) != nil {
        guard !ifNotExists else { return }
        let place = "of relation \"\(table.name.name)\""
        return refuse("column \"\(column.name)\" \(place) already exists", at: column.offset)
      }
      guard table.columns.count < Self.columnLimit else {
        return refuse("tables can have at most \(Self.columnLimit) columns", at: column.offset)
      }
      add(column, to: &table)
      add(column.tableConstraints, to: &table)
      checkGenerated(column.name, of: table, at: column.offset)
    case .dropColumn(let name, let ifExists, let isCascading):
      drop(column: name, ifExists: ifExists, isCascading: isCascading, of: &table, at: offset)
    case .addConstraint(let constraint): add([constraint], to: &table)
    case .dropConstraint(let name, let ifExists, let isCascading):
      drop(constraint: name, ifExists: ifExists, isCascading: isCascading, of: &table, at: offset)
    case .setType(let column, let type): set(type, of: column, in: &table, at: offset)
    case .setDefault(let column, let value):
      if isNumber(of: value) {
        change(column, of: &table, at: offset) { $0.identity = .serial }
        return
      }
      if let found = table.column(column) { check(default: value, of: found, at: offset) }
      change(column, of: &table, at: offset) { $0.defaultValue = value }
    case .dropDefault(let column):
      change(column, of: &table, at: offset) { column in
        column.defaultValue = nil
        if column.identity == .serial { column.identity = nil }
      }
    case .setNotNull(let column): change(column, of: &table, at: offset) { $0.isNullable = false }
    case .dropNotNull(let column): dropNotNull(column, of: &table, at: offset)
    case .rowSecurity(let security):
      switch security {
      case .enabled: table.hasRowSecurity = true
      case .disabled: table.hasRowSecurity = false
      // Only the owner's own statements are concerned, and clients have other roles.
      case .forced, .notForced: break
      }
    case .replicaIdentity(let isFull): table.isReplicaFull = isFull
    case .securityInvoker: refuse("security_invoker is an option of views: leave it out", at: offset)
    case .changeOwner: break
    }
  }

  /// Gives a column another type. Rows of the schema would have to be converted.
  private mutating func set(
    _ type: SQLType, of name: String, in table: inout CatalogueTable, at offset: SourceOffset
  ) {
    guard !catalogue.seeds.contains(where: { $0.table == table.name }) else {
      return refuse("the column \(name) has values already: write its last type where it is created", at: offset)
    }
    guard let resolved = self.type(type) else { return }
    change(name, of: &table, at: offset) { $0.type = resolved }
    if let column = table.column(name), let value = column.defaultValue {
      check(default: value, of: column, at: offset)
    }
    for condition in table.checks.map(\.condition) { check(condition, of: table, as: "CHECK") }
    for policy in table.policies {
      for condition in [policy.using, policy.withCheck] {
        if let condition { check(condition, of: table, as: "POLICY") }
      }
    }
  }

  private mutating func change(
    _ name: String, of table: inout CatalogueTable, at offset: SourceOffset, _ body: (inout CatalogueColumn) -> Void
  ) {
    guard let index = table.index(of: name) else {
      return refuse("column \"\(name)\" of relation \"\(table.name.name)\" does not exist", at: offset)
    }
    body(&table.columns[index])
  }

  private mutating func dropNotNull(_ name: String, of table: inout CatalogueTable, at offset: SourceOffset) {
    if table.primaryKey?.columns.contains(name) == true {
      return refuse("column \"\(name)\" is in a primary key", at: offset)
    }
    if let column = table.column(name), let identity = column.identity, identity != .serial {
      let place = "of relation \"\(table.name.name)\""
      return refuse("column \"\(name)\" \(place) is an identity column", at: offset)
    }
    change(name, of: &table, at: offset) { $0.isNullable = true }
  }

  // MARK: What goes

  private mutating func drop(
    column name: String, ifExists: Bool, isCascading: Bool, of table: inout CatalogueTable, at offset: SourceOffset
  ) {
    guard let index = table.index(of: name) else {
      guard !ifExists else { return }
      return refuse("column \"\(name)\" of relation \"\(table.name.name)\" does not exist", at: offset)
    }
    let what = "column \(name) of table \(table.name)"
    let policies = table.policies.filter { $0.reads(name) }
    guard policies.isEmpty || isCascading else {
      return refuse(Self.depends(what, "policy \(policies[0].name) on table \(table.name)"), at: offset)
    }
    for key in table.keys where key.columns.contains(name) {
      guard dropReferences(to: key, of: table, naming: what, isCascading: isCascading, at: offset) else { return }
    }
    table.policies.removeAll { $0.reads(name) }
    table.columns.remove(at: index)
    if table.primaryKey?.columns.contains(name) == true { table.primaryKey = nil }
    table.uniques.removeAll { $0.columns.contains(name) }
    table.checks.removeAll { $0.condition.columnNames.contains(name) }
    table.foreignKeys.removeAll { $0.columns.contains(name) }
    table.indexes.removeAll { $0.reads(name) }
    table.triggers.removeAll { $0.columns.contains(name) || $0.arguments == [name] }
    forgetNames(of: &table)
  }

  private mutating func drop(
    constraint name: String, ifExists: Bool, isCascading: Bool, of table: inout CatalogueTable,
    at offset: SourceOffset
  ) {
    if let key = table.keys.first(where: { $0.name == name }) {
      let what = "constraint \(name) on table \(table.name)"
      guard dropReferences(to: key, of: table, naming: what, isCascading: isCascading, at: offset) else { return }
      if table.primaryKey?.name == name { table.primaryKey = nil }
      table.uniques.removeAll { $0.name == name }
    } else if table.checks.contains(where: { $0.name == name }) {
      table.checks.removeAll { $0.name == name }
    } else if table.foreignKeys.contains(where: { $0.name == name }) {
      table.foreignKeys.removeAll { $0.name == name }
    } else if !ifExists {
      return refuse("constraint \"\(name)\" of relation \"\(table.name.name)\" does not exist", at: offset)
    }
    forgetNames(of: &table)
  }

  /// Removes the references to a key that goes. False, and a problem, if there are some and they are to stay.
  private mutating func dropReferences(
    to key: KeyConstraint, of table: CatalogueTable, naming what: String, isCascading: Bool, at offset: SourceOffset
  ) -> Bool {
    for name in (referrers[table.name] ?? []).sorted() where name != table.name {
      guard var referrer = catalogue.tables[name] else { continue }
      let found = referrer.foreignKeys.filter { $0.target == table.name && Set($0.targetColumns) == Set(key.columns) }
      guard let first = found.first else { continue }
      guard isCascading else {
        refuse(Self.depends(what, "constraint \(first.name) on table \(name)"), at: offset)
        return false
      }
      referrer.foreignKeys.removeAll { found.contains($0) }
      forgetNames(of: &referrer)
      catalogue.tables[name] = referrer
    }
    return true
  }

  /// Makes the names of constraints and indexes that went free again.
  mutating func forgetNames(of table: inout CatalogueTable) {
    let left = Set(
      table.keys.map(\.name) + table.checks.map(\.name) + table.foreignKeys.map(\.name) + table.indexes.map(\.name))
    for name in table.constraintNames.subtracting(left) { relationNames.remove(ObjectName(table.name.schema, name)) }
    table.constraintNames = left
  }

  /// PostgreSQL's words for something that cannot go, and what would be right.
  static func depends(_ object: String, _ dependent: String) -> String {
    "cannot drop \(object) because other objects depend on it: \(dependent); write CASCADE to drop them too"
  }
}

extension AlterTable.Action {
  /// Whether it is about who may see rows, which is decided for the server's own tables already.
  fileprivate var isAboutAccess: Bool {
    switch self {
    case .rowSecurity(.enabled), .changeOwner: true
    default: false
    }
  }
}

extension CataloguePolicy {
  /// Whether a condition reads a column of that name.
  func reads(_ column: String) -> Bool {
    [using, withCheck].contains { $0?.columnNames.contains(column) ?? false }
  }
}

extension CatalogueIndex {
  /// Whether the index reads a column of that name.
  func reads(_ column: String) -> Bool {
    (parts.map(\.value) + (condition.map { [$0] } ?? [])).contains { $0.columnNames.contains(column) }
  }
}
