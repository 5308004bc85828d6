import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Checks of the expressions of a schema: that their names stand for something and their types fit.
extension CatalogueBuilder {
  /// Does what resolves an expression. A problem of it becomes one of the statement.
  mutating func check(_ body: () throws(ExpressionProblem) -> Void) {
    do throws(ExpressionProblem) {
      try body()
    } catch {
      refuse([error.failure.message, error.failure.hint].compactMap(\.self).joined(separator: "; "), at: error.offset)
    }
  }

  /// Checks the default of a column.
  mutating func check(default value: SQLExpression, of column: CatalogueColumn, at offset: SourceOffset) {
    if value.hasQuery { return refuse("cannot use subquery in DEFAULT expression", at: offset) }
    if !value.columnNames.isEmpty { return refuse("cannot use column reference in DEFAULT expression", at: offset) }
    let scope = ExpressionScope(catalogue.names)
    check { () throws(ExpressionProblem) in _ = try scope.resolve(value, as: column.shape, isDefault: true) }
  }

  /// Checks a condition for rows of a table.
  mutating func check(_ condition: SQLExpression, of table: CatalogueTable, as construct: String) {
    let scope = ExpressionScope(catalogue.names(with: table), [RowSource(table.shape)])
    check { () throws(ExpressionProblem) in _ = try scope.condition(condition, of: construct) }
  }

  /// The type of what an index is sorted by; a problem and nil if it has none.
  mutating func type(of value: SQLExpression, of table: CatalogueTable) -> DatumType? {
    let scope = ExpressionScope(catalogue.names, [RowSource(table.shape)])
    var type: DatumType?
    check { () throws(ExpressionProblem) in type = try scope.resolve(value).type }
    return type
  }

  /// Checks the values of rows that a table has at first.
  mutating func check(_ rows: InsertRows, of table: CatalogueTable) {
    let columns = rows.columns.isEmpty ? table.columns : rows.columns.compactMap { table.column($0) }
    let scope = ExpressionScope(catalogue.names)
    if case .updates(let assignments, let key, let condition) = rows.conflict {
      let known = catalogue
      check { () throws(ExpressionProblem) in
        _ = try known.conflict(assignments, key, condition, table, scope)
      }
    }
    if let query = rows.query {
      let used = rows.columns.isEmpty ? Array(columns.prefix(query.results.count)) : columns
      check { () throws(ExpressionProblem) in _ = try scope.resolved(query, as: used.map(\.shape)) }
    }
    for row in rows.rows {
      for (column, value) in zip(columns, row) {
        guard case .expression(let expression) = value else { continue }
        check { () throws(ExpressionProblem) in _ = try scope.resolve(expression, as: column.shape) }
      }
    }
  }
}

extension Catalogue {
  /// The same with a table that is being made or changed.
  func names(with table: CatalogueTable) -> Names {
    var names = names
    let others = names.relation
    names.relation = { name in Self.full(name) == table.name ? table.shape : others(name) }
    return names
  }
}

extension CatalogueTable {
  /// The table as expressions see it.
  package var shape: RelationShape {
    RelationShape(name.sql, columns.map(\.shape), key: (primaryKey?.columns ?? []).compactMap { index(of: $0) })
  }
}

extension CatalogueColumn {
  /// The column as expressions see it.
  package var shape: ColumnShape { ColumnShape(name, type) }
}
