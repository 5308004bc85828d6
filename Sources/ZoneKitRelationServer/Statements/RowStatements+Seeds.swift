import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

extension RowStatements {
  /// Adds the rows of a statement of the schema. Returns those that are new, in their order.
  package mutating func insert(_ statement: InsertRows, into table: PreparedTable) throws(RelationFailure)
    -> [StoredRow]
  {
    let scope = ExpressionScope(schema.catalogue.names, now: context.now)
    let names = statement.columns.isEmpty ? table.columns.map(\.name) : statement.columns
    var rows: [[Int: Datum]] = []
    for values in statement.rows {
      var row: [Int: Datum] = [:]
      for (name, value) in zip(names, values) {
        guard let place = table.index(of: name), case .expression(let expression) = value else { continue }
        row[place] = try self.value(resolved(expression, as: table.columns[place].shape, scope))
      }
      rows.append(row)
    }
    let conflict: InsertConflict
    switch statement.conflict {
    case .fails: conflict = .fails
    case .doesNothing(let columns): conflict = .ignores(columns)
    }
    return try insert(rows, into: table, conflict: conflict, isReturning: false)
  }

  private func resolved(
    _ expression: SQLExpression, as column: ColumnShape, _ scope: ExpressionScope
  ) throws(RelationFailure) -> TypedExpression {
    do throws(ExpressionProblem) {
      return try scope.resolve(expression, as: column)
    } catch {
      throw .refused(error.failure)
    }
  }
}
