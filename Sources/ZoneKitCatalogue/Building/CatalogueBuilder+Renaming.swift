import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Other names for objects. What was made with the old name follows, but for the bodies of functions.
extension CatalogueBuilder {
  mutating func rename(_ rename: RenameStatement, at offset: SourceOffset) {
    switch rename.subject {
    case .table(let name):
      guard let table = renamed(name, rename), isFree(rename.name, table, at: offset) else { return }
      self.rename(table, to: ObjectName(table.name.schema, rename.name))
    case .column(let column, let name):
      guard let table = renamed(name, rename) else { return }
      self.rename(column, of: table, to: rename.name, at: offset)
    case .constraint(let constraint, let name):
      guard let table = renamed(name, rename) else { return }
      let known = table.keys.map(\.name) + table.checks.map(\.name) + table.foreignKeys.map(\.name)
      guard known.contains(constraint) else {
        let message = "constraint \"\(constraint)\" for table \"\(table.name.name)\" does not exist"
        return refuse(message, at: offset)
      }
      self.rename(constraint, in: table, to: rename.name, at: offset)
    case .index(let name):
      let full = Catalogue.full(name)
      let owner = catalogue.tables.values.first { $0.name.schema == full.schema && $0.hasIndex(full.name) }
      guard let owner else {
        if !rename.ifExists { refuse("relation \"\(name.plain)\" does not exist", at: name.offset) }
        return
      }
      self.rename(full.name, in: owner, to: rename.name, at: offset)
    case .type(let name): renameType(name, to: rename.name)
    case .enumValue(let value, let name): renameValue(value, of: name, to: rename.name)
    case .policy(let policy, let name):
      guard var table = table(name) else { return }
      guard let place = table.policies.firstIndex(where: { $0.name == policy }) else {
        return refuse("policy \"\(policy)\" for table \"\(table.name.name)\" does not exist", at: offset)
      }
      table.policies[place].name = rename.name
      table.policies.sort { $0.name < $1.name }
      keep(table)
    case .trigger(let trigger, let name):
      guard var table = renamed(name, rename) else { return }
      guard let place = table.triggers.firstIndex(where: { $0.name == trigger }) else {
        return refuse("trigger \"\(trigger)\" for table \"\(table.name.name)\" does not exist", at: offset)
      }
      table.triggers[place].name = rename.name
      table.triggers.sort { $0.name < $1.name }
      keep(table)
    case .function(let name): renameFunction(name, to: rename.name)
    }
  }

  /// A table or a view that gets another name or has a part that does; nil and maybe a problem if there is none.
  private mutating func renamed(_ name: SQLName, _ rename: RenameStatement) -> CatalogueTable? {
    if rename.ifExists, catalogue.table(name) == nil { return nil }
    if let view = catalogue.table(name), view.view != nil { return view }
    return ownTable(name)
  }

  private mutating func isFree(_ name: String, _ table: CatalogueTable, at offset: SourceOffset) -> Bool {
    guard relationNames.contains(ObjectName(table.name.schema, name)) else { return true }
    refuse("relation \"\(name)\" already exists", at: offset)
    return false
  }

  // MARK: Tables

  private mutating func rename(_ table: CatalogueTable, to name: ObjectName) {
    let old = table.name
    var rewriter = NameRewriter()
    rewriter.table = { Catalogue.full($0) == old ? SQLName(schema: $0.schema, name.name, at: $0.offset) : $0 }
    rewriter.column = { column, levels in
      // A row of the table itself has the new name, and one of a query keeps the old one.
      guard column.table == old.name, column.schema == nil || column.schema == old.schema else { return column }
      let source = levels.reversed().lazy.compactMap { $0.first { $0.alias == old.name } }.first
      let isOwn = source.map { $0.isRow && $0.table.map { Catalogue.full($0) } == old } ?? false
      return SQLColumn(table: isOwn ? name.name : old.name, column.name)
    }
    catalogue.rewrite(rewriter)
    guard var changed = catalogue.tables.removeValue(forKey: old) else { return }
    changed.name = name
    catalogue.tables[name] = changed
    for other in Array(catalogue.tables.keys) {
      for place in catalogue.tables[other]?.foreignKeys.indices ?? 0..<0
      where catalogue.tables[other]?.foreignKeys[place].target == old {
        catalogue.tables[other]?.foreignKeys[place].target = name
      }
    }
    relationNames.remove(old)
    relationNames.insert(name)
    referrers = Dictionary(
      uniqueKeysWithValues: referrers.map { target, others in
        (target == old ? name : target, Set(others.map { $0 == old ? name : $0 }))
      })
    if case .tables(let published)? = catalogue.published {
      catalogue.published = .tables(Set(published.map { $0 == old ? name : $0 }))
    }
    for place in catalogue.seeds.indices where catalogue.seeds[place].table == old {
      catalogue.seeds[place].table = name
    }
    for place in catalogue.rewrites.indices where Catalogue.full(catalogue.rewrites[place].table) == old {
      catalogue.rewrites[place].table = name.sql
    }
    for (function, made) in catalogue.functions {
      guard case .table(old, let isOne) = made.result else { continue }
      catalogue.functions[function]?.result = .table(name, isOne: isOne)
    }
  }

  private mutating func rename(
    _ column: String, of table: CatalogueTable, to name: String, at offset: SourceOffset
  ) {
    guard let place = table.index(of: column) else {
      return refuse("column \"\(column)\" does not exist", at: offset)
    }
    guard table.index(of: name) == nil else {
      let message = "column \"\(name)\" of relation \"\(table.name.name)\" already exists"
      return refuse(message, at: offset)
    }
    let known = catalogue
    var rewriter = NameRewriter()
    rewriter.column = { written, levels in
      guard known.isColumn(written, column, of: table.name, levels) else { return written }
      return SQLColumn(schema: written.schema, table: written.table, name)
    }
    catalogue.rewrite(rewriter)
    func changed(_ names: [String]) -> [String] { names.map { $0 == column ? name : $0 } }
    for (other, made) in catalogue.tables {
      var made = made
      for place in made.foreignKeys.indices where made.foreignKeys[place].target == table.name {
        made.foreignKeys[place].targetColumns = changed(made.foreignKeys[place].targetColumns)
      }
      if other == table.name {
        made.columns[place].name = name
        if let columns = made.primaryKey?.columns { made.primaryKey?.columns = changed(columns) }
        for place in made.uniques.indices { made.uniques[place].columns = changed(made.uniques[place].columns) }
        for place in made.foreignKeys.indices {
          made.foreignKeys[place].columns = changed(made.foreignKeys[place].columns)
        }
        for place in made.triggers.indices { made.triggers[place].columns = changed(made.triggers[place].columns) }
        made.privileges.rename(column, to: name)
      }
      catalogue.tables[other] = made
    }
    if let view = brokenView {
      refuse(
        "the view \(view.name) reads the column \(column) in a way that cannot follow: write the view anew", at: offset)
    }
  }

  /// Gives a constraint or an index another name.
  private mutating func rename(
    _ old: String, in table: CatalogueTable, to name: String, at offset: SourceOffset
  ) {
    guard !table.constraintNames.contains(name), !relationNames.contains(ObjectName(table.name.schema, name)) else {
      return refuse("relation \"\(name)\" already exists", at: offset)
    }
    var table = table
    if table.primaryKey?.name == old { table.primaryKey?.name = name }
    for place in table.uniques.indices where table.uniques[place].name == old { table.uniques[place].name = name }
    for place in table.checks.indices where table.checks[place].name == old { table.checks[place].name = name }
    for place in table.foreignKeys.indices where table.foreignKeys[place].name == old {
      table.foreignKeys[place].name = name
    }
    for place in table.indexes.indices where table.indexes[place].name == old { table.indexes[place].name = name }
    table.checks.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    table.constraintNames.remove(old)
    table.constraintNames.insert(name)
    if relationNames.remove(ObjectName(table.name.schema, old)) != nil {
      newIndexNames.insert(ObjectName(table.name.schema, name))
    }
    keep(table)
  }

  // MARK: Types and functions

  private mutating func renameType(_ name: SQLName, to new: String) {
    let (old, full) = (Catalogue.full(name), ObjectName(Catalogue.full(name).schema, new))
    guard let type = catalogue.enums[old] else {
      return refuse("type \"\(name.plain)\" does not exist", at: name.offset)
    }
    guard catalogue.enums[full] == nil else { return refuse("type \"\(new)\" already exists", at: name.offset) }
    catalogue.enums[old] = nil
    catalogue.enums[full] = type
    replace(type, with: DatumType.EnumType(new, type.labels), named: full)
    var rewriter = NameRewriter()
    rewriter.type = { type in
      guard case .named(let name) = type.kind, Catalogue.full(name) == old else { return type }
      var type = type
      type.kind = .named(SQLName(schema: name.schema, new, at: name.offset))
      return type
    }
    catalogue.rewrite(rewriter)
  }

  private mutating func renameValue(_ value: String, of name: SQLName, to new: String) {
    let full = Catalogue.full(name)
    guard let type = catalogue.enums[full] else {
      return refuse("type \"\(name.plain)\" does not exist", at: name.offset)
    }
    guard let place = type.labels.firstIndex(of: value) else {
      return refuse("\"\(value)\" is not an existing enum label", at: name.offset)
    }
    guard !type.labels.contains(new) else {
      return refuse("enum label \"\(new)\" already exists", at: name.offset)
    }
    var labels = type.labels
    labels[place] = new
    replace(type, with: DatumType.EnumType(type.name, labels), named: full)
    // What does not fit any longer has the value.
    let before = catalogue
    var rewriter = NameRewriter()
    rewriter.constant = { $0 == .text(value) ? .text(new) : $0 }
    catalogue.rewrite(rewriter)
    let after = catalogue
    keepFitting(from: before, otherwise: after)
  }

  /// Takes the parts of tables back that fit as they were before.
  private mutating func keepFitting(from before: Catalogue, otherwise after: Catalogue) {
    for (name, old) in before.tables {
      guard var table = after.tables[name] else { continue }
      let scope = ExpressionScope(before.names, [RowSource(old.shape)])
      func fits(_ value: SQLExpression?, as column: ColumnShape? = nil) -> Bool {
        guard let value else { return true }
        if let column { return (try? scope.resolve(value, as: column)) != nil }
        return (try? scope.resolve(value)) != nil
      }
      for place in table.columns.indices where fits(old.columns[place].defaultValue, as: old.columns[place].shape) {
        table.columns[place].defaultValue = old.columns[place].defaultValue
      }
      for place in table.checks.indices where fits(old.checks[place].condition) {
        table.checks[place] = old.checks[place]
      }
      for place in table.policies.indices
      where fits(old.policies[place].using) && fits(old.policies[place].withCheck) {
        table.policies[place] = old.policies[place]
      }
      for place in table.indexes.indices where fits(old.indexes[place].condition) {
        table.indexes[place].condition = old.indexes[place].condition
      }
      if old.view != nil, (try? before.query(ofView: name)) != nil { table.view = old.view }
      catalogue.tables[name] = table
    }
    for place in before.seeds.indices {
      let seed = before.seeds[place]
      guard let table = before.tables[seed.table] else { continue }
      var probe = self
      probe.check(seed.rows, of: table)
      if probe.isAccepted { catalogue.seeds[place] = seed }
    }
  }

  private mutating func renameFunction(_ name: SQLName, to new: String) {
    let (old, full) = (Catalogue.full(name), ObjectName(Catalogue.full(name).schema, new))
    guard var function = catalogue.functions[old] else {
      return refuse("function \(name.plain)() does not exist", at: name.offset)
    }
    guard catalogue.functions[full] == nil else {
      return refuse("function \(new)() already exists in schema \"\(full.schema)\"", at: name.offset)
    }
    function.name = full
    catalogue.functions[old] = nil
    catalogue.functions[full] = function
    for (table, made) in catalogue.tables {
      for place in made.triggers.indices where made.triggers[place].function == old {
        catalogue.tables[table]?.triggers[place].function = full
      }
    }
    var rewriter = NameRewriter()
    rewriter.function = { Catalogue.full($0) == old ? SQLName(schema: $0.schema, new, at: $0.offset) : $0 }
    catalogue.rewrite(rewriter)
  }
}

extension CatalogueTable {
  /// Whether an index or a key has that name.
  fileprivate func hasIndex(_ name: String) -> Bool {
    indexes.contains { $0.name == name } || keys.contains { $0.name == name }
  }
}
