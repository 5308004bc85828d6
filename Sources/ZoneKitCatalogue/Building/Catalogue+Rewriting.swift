import ZoneKitRelations
import ZoneKitSchema

/// Other names in what objects have been made with.
extension Catalogue {
  /// Writes all expressions and queries again, but not those of functions, which are texts.
  mutating func rewrite(_ rewriter: NameRewriter) {
    for (name, table) in tables { tables[name] = Self.rewritten(table, rewriter) }
    for place in seeds.indices { seeds[place].rows = Self.rewritten(seeds[place].rows, rewriter) }
    for (name, function) in functions { functions[name]?.defaults = function.defaults.map { rewriter.expression($0) } }
  }

  private static func rewritten(_ table: CatalogueTable, _ rewriter: NameRewriter) -> CatalogueTable {
    var table = table
    let row = [[NameRewriter.Source(table.name.sql)]]
    let rows = ["new", "old"].map { NameRewriter.Source(table.name.sql, as: $0, needsName: true) }
    func value(_ expression: SQLExpression?) -> SQLExpression? { expression.map { rewriter.expression($0, row) } }
    for place in table.columns.indices {
      table.columns[place].defaultValue = value(table.columns[place].defaultValue)
      table.columns[place].generated = value(table.columns[place].generated)
    }
    for place in table.checks.indices {
      table.checks[place].condition = rewriter.expression(table.checks[place].condition, row)
    }
    for place in table.indexes.indices {
      for part in table.indexes[place].parts.indices {
        table.indexes[place].parts[part].value = rewriter.expression(table.indexes[place].parts[part].value, row)
      }
      table.indexes[place].condition = value(table.indexes[place].condition)
    }
    for place in table.policies.indices {
      table.policies[place].using = value(table.policies[place].using)
      table.policies[place].withCheck = value(table.policies[place].withCheck)
    }
    for place in table.triggers.indices {
      table.triggers[place].condition = table.triggers[place].condition.map { rewriter.expression($0, [rows]) }
    }
    if let view = table.view { table.view?.query = rewriter.query(view.query) }
    return table
  }

  private static func rewritten(_ rows: InsertRows, _ rewriter: NameRewriter) -> InsertRows {
    var rows = rows
    let row = [[NameRewriter.Source(rows.table), NameRewriter.Source(rows.table, as: "excluded", needsName: true)]]
    func name(_ column: String) -> String { rewriter.column(SQLColumn(table: rows.table.name, column), row).name }
    rows.columns = rows.columns.map(name)
    rows.rows = rows.rows.map { values in
      values.map { value in
        guard case .expression(let expression) = value else { return value }
        return .expression(rewriter.expression(expression))
      }
    }
    rows.query = rows.query.map { rewriter.query($0) }
    switch rows.conflict {
    case .fails: break
    case .doesNothing(let columns): rows.conflict = .doesNothing(columns.map(name))
    case .updates(let assignments, let key, let condition):
      let others = assignments.map { assignment in
        RowWrite.Assignment(name(assignment.column), assignment.value.map { rewriter.expression($0, row) })
      }
      rows.conflict = .updates(
        others, key: key.map(name), where: condition.map { rewriter.expression($0, row) })
    }
    rows.table = rewriter.table(rows.table)
    return rows
  }

  /// Whether a column is that of a table, as the catalogue is now.
  func isColumn(_ column: SQLColumn, _ name: String, of table: ObjectName, _ levels: [[NameRewriter.Source]]) -> Bool {
    guard column.name == name else { return false }
    for sources in levels.reversed() {
      let named = sources.filter { source in column.table.map { $0 == source.alias } ?? !source.needsName }
      let found = named.filter { source in
        source.table.map { tables[Self.full($0)]?.index(of: name) != nil } ?? source.columns.contains(name)
      }
      guard let first = found.first else { continue }
      return first.table.map { Self.full($0) == table } ?? false
    }
    return false
  }
}
