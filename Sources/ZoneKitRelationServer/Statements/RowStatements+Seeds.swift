import ZoneKitCatalogue
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
    if let query = statement.query {
      let places = names.compactMap { table.index(of: $0) }.prefix(query.results.count)
      let typed = try resolved(query, as: places.map { table.columns[$0].shape }, scope)
      for row in try self.rows(of: typed) { rows.append(Dictionary(uniqueKeysWithValues: zip(places, row))) }
    }
    for values in statement.rows {
      var row: [Int: Datum] = [:]
      for (name, value) in zip(names, values) {
        guard let place = table.index(of: name), case .expression(let expression) = value else { continue }
        row[place] = try self.value(resolved(expression, as: table.columns[place].shape, scope), in: [[]])
      }
      rows.append(row)
    }
    return try insert(rows, into: table, conflict: conflict(statement.conflict, table, scope), isReturning: false)
  }

  private func conflict(
    _ conflict: InsertRows.Conflict, _ table: PreparedTable, _ scope: ExpressionScope
  ) throws(RelationFailure) -> InsertConflict {
    switch conflict {
    case .fails: return .fails
    case .doesNothing(let columns): return .ignores(columns)
    case .updates(let assignments, let key, let condition):
      let typed: TypedConflict
      do throws(ExpressionProblem) {
        typed = try schema.catalogue.conflict(assignments, key, condition, table.catalogue, scope)
      } catch {
        throw .refused(error.failure)
      }
      return try self.conflict(typed, [[]])
    }
  }

  private func resolved(
    _ query: SQLQuery, as columns: [ColumnShape], _ scope: ExpressionScope
  ) throws(RelationFailure) -> TypedQuery {
    do throws(ExpressionProblem) {
      return try scope.resolved(query, as: columns)
    } catch {
      throw .refused(error.failure)
    }
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
