import ZoneKitExpressions
import ZoneKitSchema

/// Objects that go.
extension CatalogueBuilder {
  mutating func drop(_ drop: DropStatement, at offset: SourceOffset) {
    switch drop.subject {
    case .tables(let names): for name in names { dropTable(name, drop) }
    case .views(let names): for name in names { dropView(name, drop) }
    case .types(let names): for name in names { dropType(name, drop) }
    case .functions(let names): for name in names { dropFunction(name, drop) }
    case .indexes(let names): for name in names { dropIndex(name, drop) }
    case .schemas(let names):
      for name in names where name == ObjectName.usualSchema {
        refuse("the schema public cannot be dropped", at: offset)
      }
    case .extensions: break
    case .publication:
      if catalogue.published == nil, !drop.ifExists {
        return refuse("publication \"\(PublicationScope.name)\" does not exist", at: offset)
      }
      catalogue.published = nil
    case .trigger(let name, let table): dropTrigger(name, of: table, drop, at: offset)
    case .policy(let name, let table): dropPolicy(name, of: table, drop, at: offset)
    }
  }

  private mutating func dropTable(_ name: SQLName, _ drop: DropStatement) {
    guard let found = catalogue.table(name) else {
      if !drop.ifExists { refuse("table \"\(name.plain)\" does not exist", at: name.offset) }
      return
    }
    guard let table = ownTable(name) else { return }
    for other in (referrers[table.name] ?? []).sorted() where other != table.name {
      guard var referrer = catalogue.tables[other] else { continue }
      guard let key = referrer.foreignKeys.first(where: { $0.target == table.name }) else { continue }
      guard drop.isCascading else {
        let dependent = "constraint \(key.name) on table \(other)"
        return refuse(Self.depends("table \(table.name)", dependent), at: name.offset)
      }
      referrer.foreignKeys.removeAll { $0.target == table.name }
      forgetNames(of: &referrer)
      catalogue.tables[other] = referrer
    }
    catalogue.tables[found.name] = nil
    relationNames.remove(table.name)
    for index in table.constraintNames { relationNames.remove(ObjectName(table.name.schema, index)) }
    if case .tables(var published) = catalogue.published {
      published.remove(table.name)
      catalogue.published = .tables(published)
    }
    catalogue.seeds.removeAll { $0.table == table.name }
    dropViews(of: "table \(table.name)", isCascading: drop.isCascading, at: name.offset)
  }

  private mutating func dropType(_ name: SQLName, _ drop: DropStatement) {
    let full = Catalogue.full(name)
    guard let type = catalogue.enums[full] else {
      if !drop.ifExists { refuse("type \"\(name.plain)\" does not exist", at: name.offset) }
      return
    }
    for table in catalogue.tables.values.sorted(by: { $0.name < $1.name }) {
      guard let column = table.columns.first(where: { $0.type.isMade(of: type) }) else { continue }
      let dependent = "column \(column.name) of table \(table.name)"
      return refuse(
        "cannot drop type \(name.plain) because other objects depend on it: \(dependent); drop the column first",
        at: name.offset)
    }
    catalogue.enums[full] = nil
  }

  private mutating func dropFunction(_ name: SQLName, _ drop: DropStatement) {
    let full = Catalogue.full(name)
    guard catalogue.functions[full] != nil else {
      if !drop.ifExists { refuse("function \(name.plain)() does not exist", at: name.offset) }
      return
    }
    for var table in catalogue.tables.values.sorted(by: { $0.name < $1.name }) {
      guard let trigger = table.triggers.first(where: { $0.function == full }) else { continue }
      guard drop.isCascading else {
        let dependent = "trigger \(trigger.name) on table \(table.name)"
        return refuse(Self.depends("function \(name.plain)()", dependent), at: name.offset)
      }
      table.triggers.removeAll { $0.function == full }
      keep(table)
    }
    catalogue.functions[full] = nil
  }

  private mutating func dropIndex(_ name: SQLName, _ drop: DropStatement) {
    let full = Catalogue.full(name)
    let isKnown = relationNames.contains(full)
    let owner = catalogue.tables.values.first { table in
      isKnown && table.name.schema == full.schema && table.constraintNames.contains(full.name)
    }
    guard var table = owner else {
      if !drop.ifExists { refuse("index \"\(name.plain)\" does not exist", at: name.offset) }
      return
    }
    if table.keys.contains(where: { $0.name == full.name }) {
      let reason = "constraint \(full.name) on table \(table.name) requires it; drop the constraint instead"
      return refuse("cannot drop index \(full.name) because \(reason)", at: name.offset)
    }
    table.indexes.removeAll { $0.name == full.name }
    forgetNames(of: &table)
    keep(table)
  }

  private mutating func dropPolicy(
    _ name: String, of table: SQLName, _ drop: DropStatement, at offset: SourceOffset
  ) {
    if drop.ifExists, catalogue.table(table) == nil { return }
    guard var found = self.table(table) else { return }
    guard let index = found.policies.firstIndex(where: { $0.name == name }) else {
      if !drop.ifExists { refuse("policy \"\(name)\" for table \"\(found.name.name)\" does not exist", at: offset) }
      return
    }
    found.policies.remove(at: index)
    keep(found)
  }
}
