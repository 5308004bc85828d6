import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Statements that write rows.
extension RoutineTyping {
  private func target(_ name: SQLName) throws(ExpressionProblem) -> CatalogueTable {
    guard let table = catalogue.table(name) else {
      throw ExpressionProblem(SQLFailure(.unknownTable, "relation \"\(name.plain)\" does not exist"), at: name.offset)
    }
    guard BuiltInTables.all[table.name] == nil else {
      throw problem("\(table.name) is a table of the server, which a function cannot change")
    }
    guard table.view == nil else { throw problem("\(table.name) is a view, whose rows are not written") }
    return table
  }

  private func column(_ name: String, of table: CatalogueTable) throws(ExpressionProblem) -> Int {
    guard let place = table.index(of: name) else {
      let message = "column \"\(name)\" of relation \"\(table.name.name)\" does not exist"
      throw ExpressionProblem(SQLFailure(.unknownColumn, message), at: SourceOffset(0))
    }
    return place
  }

  mutating func write(
    _ write: RowWrite, into targets: [SQLColumn], isReturned: Bool
  ) throws(ExpressionProblem) -> TypedRoutine.Step {
    let typed: TypedWrite
    let source: RowSource
    switch write {
    case .insert(let rows): (typed, source) = try insert(rows)
    case .update(let change): (typed, source) = try update(change)
    case .delete(let change): (typed, source) = try delete(change)
    }
    guard !targets.isEmpty || isReturned else { return .write(typed, returning: [], into: nil, isReturned: false) }
    // What is returned is the result of a query for the row.
    let returning = SQLQuery(write.returning)
    let inner = scope.inside([source])
    if isReturned {
      var columns: [ColumnShape]?
      switch result {
      case .rows(let all, _, _): columns = all
      case .value(let type), .values(let type): columns = [ColumnShape(function.name.name, type)]
      case .nothing: break
      }
      let values = try inner.results(of: returning, as: columns).results
      return .write(typed, returning: values, into: nil, isReturned: true)
    }
    if targets.count == 1, let record = record(targets[0]) {
      let query = try inner.results(of: returning, as: nil)
      set(record, query.columns)
      return .write(typed, returning: query.results, into: .row(record), isReturned: false)
    }
    let (slots, columns) = try slots(targets)
    let values = try inner.results(of: returning, as: nil).results
    guard slots.count <= values.count else { throw problem("there are more variables behind INTO than values") }
    var read = returning
    if returning.results.count > slots.count { read.results = Array(returning.results.prefix(slots.count)) }
    return .write(
      typed, returning: try inner.results(of: read, as: columns).results, into: .slots(slots), isReturned: false)
  }

  // MARK: Kinds

  private func insert(_ rows: InsertRows) throws(ExpressionProblem) -> (TypedWrite, RowSource) {
    let table = try target(rows.table)
    let names = rows.columns.isEmpty ? table.columns.map(\.name) : rows.columns
    var places: [Int] = []
    for name in names { places.append(try column(name, of: table)) }
    let new = try newRows(rows, table, places)
    let source = RowSource(table.shape)
    return (.insert(table.name, new, try conflict(rows.conflict, table)), source)
  }

  private func newRows(
    _ rows: InsertRows, _ table: CatalogueTable, _ places: [Int]
  ) throws(ExpressionProblem) -> TypedRoutine.NewRows {
    if let query = rows.query {
      var used = places
      if rows.columns.isEmpty { used = Array(places.prefix(try scope.resolved(query).results.count)) }
      return .query(try scope.resolved(query, as: used.map { table.columns[$0].shape }), used)
    }
    var typed: [[Int: TypedExpression]] = []
    for row in rows.rows {
      var values: [Int: TypedExpression] = [:]
      for (place, value) in zip(places, row) {
        guard case .expression(let expression) = value else { continue }
        values[place] = try scope.resolve(expression, as: table.columns[place].shape)
      }
      typed.append(values)
    }
    return .values(typed)
  }

  private func conflict(
    _ conflict: InsertRows.Conflict, _ table: CatalogueTable
  ) throws(ExpressionProblem) -> TypedConflict {
    switch conflict {
    case .fails: return .fails
    case .doesNothing(let columns): return .ignores(columns)
    case .updates(let assignments, let key, let condition):
      return try catalogue.conflict(assignments, key, condition, table, scope)
    }
  }

  private func update(_ change: RowChange) throws(ExpressionProblem) -> (TypedWrite, RowSource) {
    let table = try target(change.table)
    let source = RowSource(table.shape, as: change.alias)
    let inner = scope.inside([source])
    var places: [Int] = []
    for assignment in change.assignments { places.append(try column(assignment.column, of: table)) }
    let values = zip(change.assignments, places).map { assignment, place in
      assignment.value ?? table.columns[place].defaultValue ?? SQLExpression(.constant(.null))
    }
    guard change.sources.isEmpty else {
      let query = SQLQuery(
        values.map { .value($0, name: nil) }, from: change.sources, where: change.condition,
        limit: SQLExpression(.constant(.integer(1))))
      return (
        .updateFrom(table.name, places, try inner.resolved(query, as: places.map { table.columns[$0].shape })), source
      )
    }
    var typed: [Int: TypedExpression] = [:]
    for (value, place) in zip(values, places) {
      typed[place] = try inner.resolve(value, as: table.columns[place].shape)
    }
    return (.update(table.name, typed, where: try condition(change.condition, inner)), source)
  }

  private func delete(_ change: RowChange) throws(ExpressionProblem) -> (TypedWrite, RowSource) {
    let table = try target(change.table)
    let source = RowSource(table.shape, as: change.alias)
    var condition = change.condition
    if !change.sources.isEmpty {
      let one = SQLExpression(.constant(.integer(1)))
      condition = SQLExpression(.exists(SQLQuery([.value(one, name: nil)], from: change.sources, where: condition)))
    }
    return (.delete(table.name, where: try self.condition(condition, scope.inside([source]))), source)
  }

  private func condition(
    _ condition: SQLExpression?, _ scope: ExpressionScope
  ) throws(ExpressionProblem) -> TypedExpression? {
    try condition.map { (condition) throws(ExpressionProblem) in try scope.condition(condition, of: "WHERE") }
  }
}

extension Catalogue {
  /// What is done with a new row that is there already. The scope is that around the statement.
  package func conflict(
    _ assignments: [RowWrite.Assignment], _ key: [String], _ condition: SQLExpression?, _ table: CatalogueTable,
    _ scope: ExpressionScope
  ) throws(ExpressionProblem) -> TypedConflict {
    let inner = scope.inside([RowSource(table.shape), RowSource(table.shape, as: "excluded", needsName: true)])
    var values: [Int: TypedExpression] = [:]
    for assignment in assignments {
      guard let place = table.index(of: assignment.column) else {
        let message = "column \"\(assignment.column)\" of relation \"\(table.name.name)\" does not exist"
        throw ExpressionProblem(SQLFailure(.unknownColumn, message), at: SourceOffset(0))
      }
      let value = assignment.value ?? table.columns[place].defaultValue ?? SQLExpression(.constant(.null))
      values[place] = try inner.resolve(value, as: table.columns[place].shape)
    }
    let typed = try condition.map { (condition) throws(ExpressionProblem) in
      try inner.condition(condition, of: "WHERE")
    }
    return .updates(key: key, values, where: typed)
  }
}
