import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

extension Catalogue {
  /// The steps of a function with types; those of a trigger for rows of that table. Throws what is wrong with them.
  package func routine(
    _ function: CatalogueFunction, _ body: RoutineBody, of table: CatalogueTable? = nil
  ) throws(ExpressionProblem) -> TypedRoutine {
    let typing = try RoutineTyping(self, function, body, table)
    return try typing.routine(body)
  }

  /// The steps of a trigger; nil if a fixed answer stands for its function. Throws what is wrong with them.
  package func routine(of trigger: CatalogueTrigger, of table: CatalogueTable) throws(ExpressionProblem)
    -> TypedRoutine?
  {
    if trigger.function.name == CatalogueTrigger.moddatetime, functions[trigger.function] == nil {
      let assignment = RoutineBody.Step.assign(
        SQLColumn(table: "new", trigger.arguments.first ?? ""), SQLExpression(.call(SQLName("now"), [])))
      let body = RoutineBody([assignment, .returns(SQLExpression(.column(SQLColumn("new"))))])
      let function = CatalogueFunction(
        name: trigger.function, parameters: [], defaults: [], result: .trigger, body: body, isDefiner: false, order: 0)
      return try routine(function, body, of: table)
    }
    guard let function = functions[trigger.function], let body = function.body else { return nil }
    return try routine(function, body, of: table)
  }

  /// The condition of a trigger about a row of `new` and of `old`.
  package func condition(of trigger: CatalogueTrigger, of table: CatalogueTable) throws(ExpressionProblem)
    -> TypedExpression?
  {
    let scope = ExpressionScope(names, RowSource.ofTrigger(table))
    return try trigger.condition.map { (condition) throws(ExpressionProblem) in
      try scope.condition(condition, of: "WHEN")
    }
  }
}

extension RowSource {
  /// The rows of a trigger, whose columns are written with the row's name.
  static func ofTrigger(_ table: CatalogueTable) -> [RowSource] {
    [RowSource(table.shape, as: "new", needsName: true), RowSource(table.shape, as: "old", needsName: true)]
  }
}

/// The types of the steps of a function.
private struct RoutineTyping {
  let catalogue: Catalogue
  let function: CatalogueFunction
  let table: CatalogueTable?
  let variables: [ColumnShape]
  let scope: ExpressionScope

  /// What a trigger tells its function.
  static let ofTriggers = [ColumnShape("tg_op", .text), ColumnShape("tg_table_name", .text)]

  init(
    _ catalogue: Catalogue, _ function: CatalogueFunction, _ body: RoutineBody, _ table: CatalogueTable?
  ) throws(ExpressionProblem) {
    (self.catalogue, self.function, self.table) = (catalogue, function, table)
    let names = catalogue.names
    variables = function.parameters + (try body.columns(names)) + (table == nil ? [] : Self.ofTriggers)
    let shape = RelationShape(SQLName(function.name.name), variables)
    scope = ExpressionScope(names, [RowSource(shape)] + (table.map { RowSource.ofTrigger($0) } ?? []))
  }

  func routine(_ body: RoutineBody) throws(ExpressionProblem) -> TypedRoutine {
    var initial: [(place: Int, value: TypedExpression)] = []
    for (number, variable) in body.variables.enumerated() {
      guard let value = variable.value else { continue }
      let place = function.parameters.count + number
      initial.append((place, try scope.resolve(value, as: variables[place])))
    }
    var result: DatumType?
    if case .value(let type) = function.result { result = type }
    return TypedRoutine(
      name: function.name, variables: variables, parameterCount: function.parameters.count, initialValues: initial,
      steps: try steps(body.steps), result: result, isDefiner: function.isDefiner)
  }

  private func steps(_ steps: [RoutineBody.Step]) throws(ExpressionProblem) -> [TypedRoutine.Step] {
    var typed: [TypedRoutine.Step] = []
    for step in steps { typed.append(try self.step(step)) }
    return typed
  }

  private func step(_ step: RoutineBody.Step) throws(ExpressionProblem) -> TypedRoutine.Step {
    switch step {
    case .assign(let target, let value):
      let (slot, column) = try slot(target)
      return .assign(slot, try scope.resolve(value, as: column))
    case .select(let query, let targets):
      let typed = try scope.resolved(query)
      guard typed.results.count == targets.count else {
        throw problem("the query finds \(typed.results.count) values for \(targets.count) variables")
      }
      var slots: [TypedRoutine.Slot] = []
      for (target, result) in zip(targets, typed.results) {
        let (slot, column) = try slot(target)
        guard typed.isCounting || result.type.unlimited == column.type.unlimited || column.type == .text else {
          throw problem("\"\(column.name)\" is of type \(column.type.name) but the query finds \(result.type.name)")
        }
        slots.append(slot)
      }
      return .select(typed, into: slots)
    case .write(let write, let targets): return try self.write(write, into: targets)
    case .branch(let branches, let otherwise):
      var typed: [(condition: TypedExpression, steps: [TypedRoutine.Step])] = []
      for branch in branches {
        typed.append((try scope.condition(branch.condition, of: "IF"), try steps(branch.steps)))
      }
      return .branch(typed, otherwise: try steps(otherwise))
    case .raise(let text, let values, let code):
      var typed: [TypedExpression] = []
      for value in values { typed.append(try scope.resolve(value)) }
      return .raise(text, typed, code: code ?? "P0001")
    case .returns(let value): return try returns(value)
    }
  }

  private func returns(_ value: SQLExpression?) throws(ExpressionProblem) -> TypedRoutine.Step {
    guard function.result == .trigger else {
      guard let value, case .value(let type) = function.result else { return .returns(nil) }
      return .returns(try scope.resolve(value, as: ColumnShape(function.name.name, type)))
    }
    guard case .column(let row)? = value?.kind else { return .returnsRow(nil) }
    switch row.name {
    case "new": return .returnsRow(.new)
    case "old": return .returnsRow(.old)
    default: return .returnsRow(nil)
    }
  }

  private func slot(_ target: SQLColumn) throws(ExpressionProblem) -> (TypedRoutine.Slot, ColumnShape) {
    if target.table == "new", let table {
      guard let place = table.index(of: target.name) else {
        throw ExpressionProblem(
          SQLFailure(.unknownColumn, "record \"new\" has no field \"\(target.name)\""), at: SourceOffset(0))
      }
      return (.new(place), table.columns[place].shape)
    }
    guard target.table == nil || target.table == function.name.name,
      let place = variables.lastIndex(where: { $0.name.utf8.elementsEqual(target.name.utf8) })
    else { throw problem("\"\(target.name)\" is not a known variable") }
    return (.variable(place), variables[place])
  }

  private func problem(_ message: String) -> ExpressionProblem {
    ExpressionProblem(SQLFailure(.syntax, message), at: SourceOffset(0))
  }

  // MARK: Statements

  private func target(_ name: SQLName) throws(ExpressionProblem) -> CatalogueTable {
    guard let table = catalogue.table(name) else {
      throw ExpressionProblem(SQLFailure(.unknownTable, "relation \"\(name.plain)\" does not exist"), at: name.offset)
    }
    guard BuiltInTables.all[table.name] == nil else {
      throw problem("\(table.name) is a table of the server, which a function cannot change")
    }
    return table
  }

  private func column(_ name: String, of table: CatalogueTable) throws(ExpressionProblem) -> Int {
    guard let place = table.index(of: name) else {
      let message = "column \"\(name)\" of relation \"\(table.name.name)\" does not exist"
      throw ExpressionProblem(SQLFailure(.unknownColumn, message), at: SourceOffset(0))
    }
    return place
  }

  private func write(_ write: RowWrite, into targets: [SQLColumn]) throws(ExpressionProblem) -> TypedRoutine.Step {
    switch write {
    case .insert(let rows): return try insert(rows, into: targets)
    case .update(let name, let alias, let assignments, let condition):
      let table = try target(name)
      let inner = scope.inside([RowSource(table.shape, as: alias)])
      var values: [Int: TypedExpression] = [:]
      for assignment in assignments {
        let place = try column(assignment.column, of: table)
        let value = assignment.value ?? table.columns[place].defaultValue ?? SQLExpression(.constant(.null))
        values[place] = try inner.resolve(value, as: table.columns[place].shape)
      }
      return .update(table.name, values, where: try self.condition(condition, inner))
    case .delete(let name, let alias, let condition):
      let table = try target(name)
      return .delete(
        table.name, where: try self.condition(condition, scope.inside([RowSource(table.shape, as: alias)])))
    }
  }

  private func condition(
    _ condition: SQLExpression?, _ scope: ExpressionScope
  ) throws(ExpressionProblem) -> TypedExpression? {
    try condition.map { (condition) throws(ExpressionProblem) in try scope.condition(condition, of: "WHERE") }
  }

  private func insert(_ rows: InsertRows, into targets: [SQLColumn]) throws(ExpressionProblem) -> TypedRoutine.Step {
    let table = try target(rows.table)
    let names = rows.columns.isEmpty ? table.columns.map(\.name) : rows.columns
    var places: [Int] = []
    for name in names { places.append(try column(name, of: table)) }
    guard targets.count <= rows.returning.count else {
      throw problem("there are more variables behind INTO than values")
    }
    let inner = scope.inside([RowSource(table.shape)])
    var returning: [TypedExpression] = []
    var slots: [TypedRoutine.Slot] = []
    for (target, value) in zip(targets, rows.returning) {
      let (slot, column) = try slot(target)
      slots.append(slot)
      returning.append(try inner.resolve(value, as: column))
    }
    let new = try newRows(rows, table, places)
    return .insert(table.name, new, rows.conflict, returning: returning, into: slots)
  }

  private func newRows(
    _ rows: InsertRows, _ table: CatalogueTable, _ places: [Int]
  ) throws(ExpressionProblem) -> TypedRoutine.NewRows {
    if let query = rows.query {
      let used = rows.columns.isEmpty ? Array(places.prefix(query.results.count)) : places
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
}
