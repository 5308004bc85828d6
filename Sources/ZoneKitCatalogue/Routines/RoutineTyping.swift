import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

extension Catalogue {
  /// The steps of a function with types; those of a trigger for rows of that table. Throws what is wrong with them.
  package func routine(
    _ function: CatalogueFunction, _ body: RoutineBody, of table: CatalogueTable? = nil
  ) throws(ExpressionProblem) -> TypedRoutine {
    var typing = try RoutineTyping(self, function, body, table)
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

  /// Takes the steps of functions that cannot be carried out, so that only fixed answers stand for them.
  package mutating func leaveOutFunctions() {
    var failing: Set<ObjectName> = []
    for (name, function) in functions where function.result != .trigger {
      guard let body = function.body, (try? routine(function, body)) == nil else { continue }
      failing.insert(name)
    }
    for table in tables.values {
      for trigger in table.triggers where (try? routine(of: trigger, of: table)) == nil {
        failing.insert(trigger.function)
      }
    }
    for name in failing { functions[name]?.body = nil }
  }

  /// What a function returns, with the columns of a table as they are now.
  package func result(of function: CatalogueFunction) -> TypedRoutine.Result {
    switch function.result {
    case .trigger, .nothing: .nothing
    case .value(let type): .value(type)
    case .values(let type): .values(type)
    case .rows(let columns): .rows(columns, of: nil, isOne: false)
    case .table(let name, let isOne): .rows(tables[name]?.columns.map(\.shape) ?? [], of: name, isOne: isOne)
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
struct RoutineTyping {
  let catalogue: Catalogue
  let function: CatalogueFunction
  let table: CatalogueTable?
  let result: TypedRoutine.Result
  private let isLate: Bool
  /// The parameters, the variables with values and what steps and triggers tell.
  private(set) var variables: [ColumnShape]
  /// The variables that are rows, with their columns as they are known so far.
  private var records: [RowSource] = []
  /// The most columns that each of these has.
  private var recordSizes: [Int] = []
  private var initial: [TypedRoutine.InitialValue] = []

  /// What a trigger tells its function.
  static let ofTriggers = [ColumnShape("tg_op", .text), ColumnShape("tg_table_name", .text)]

  init(
    _ catalogue: Catalogue, _ function: CatalogueFunction, _ body: RoutineBody, _ table: CatalogueTable?
  ) throws(ExpressionProblem) {
    (self.catalogue, self.function, self.table) = (catalogue, function, table)
    result = catalogue.result(of: function)
    isLate = body.isLate
    variables = function.parameters
    if case .rows(let columns, of: nil, _) = result, isLate { variables += columns }
    for variable in body.variables { try add(variable) }
    for loop in body.steps.flatMap(\.counters) where !variables.contains(where: { $0.name == loop }) {
      variables.append(ColumnShape(loop, .integer))
    }
    if case .value(let type) = result { variables.append(ColumnShape(Self.resultName, type)) }
    if isLate { variables += TypedRoutine.told }
    if table != nil { variables += Self.ofTriggers }
  }

  /// The variable for the value of a call that is returned.
  private static let resultName = "~result"

  private mutating func add(_ variable: RoutineBody.Variable) throws(ExpressionProblem) {
    switch variable.kind {
    case .record: addRecord(variable.name, [])
    case .row(let name): addRecord(variable.name, try columns(of: name))
    case .column(let name, let column):
      guard let found = try columns(of: name).first(where: { $0.name == column }) else {
        throw problem("column \"\(column)\" of \"\(name.plain)\" does not exist")
      }
      variables.append(ColumnShape(variable.name, found.type))
    case .value(let type):
      if case .named(let name) = type.kind, !type.isArray, let row = catalogue.table(name) {
        return addRecord(variable.name, row.columns.map(\.shape))
      }
      variables.append(ColumnShape(variable.name, try DatumType(resolving: type, catalogue.names)))
    }
    guard let value = variable.value else { return }
    guard variables.last?.name == variable.name else {
      throw problem("a first value of the row \"\(variable.name)\" is not supported: write SELECT … INTO")
    }
    let place = variables.count - 1
    initial.append(TypedRoutine.InitialValue(place: place, value: try scope.resolve(value, as: variables[place])))
  }

  private mutating func addRecord(_ name: String, _ columns: [ColumnShape]) {
    records.append(RowSource(RelationShape(SQLName(name), columns), needsName: true))
    recordSizes.append(columns.count)
  }

  private func columns(of name: SQLName) throws(ExpressionProblem) -> [ColumnShape] {
    guard let table = catalogue.table(name) else {
      throw ExpressionProblem(SQLFailure(.unknownTable, "relation \"\(name.plain)\" does not exist"), at: name.offset)
    }
    return table.columns.map(\.shape)
  }

  /// What expressions of a step see.
  var scope: ExpressionScope {
    let shape = RelationShape(SQLName(function.name.name), variables)
    var scope = ExpressionScope(
      catalogue.names, [RowSource(shape)] + (table.map { RowSource.ofTrigger($0) } ?? []) + records)
    scope.variablesAreDistinct = isLate
    return scope
  }

  mutating func routine(_ body: RoutineBody) throws(ExpressionProblem) -> TypedRoutine {
    let steps = try steps(body.steps)
    return TypedRoutine(
      name: function.name, variables: variables, parameterCount: function.parameters.count, initialValues: initial,
      recordSizes: recordSizes, steps: steps, result: result, isDefiner: function.isDefiner)
  }

  mutating func steps(_ steps: [RoutineBody.Step]) throws(ExpressionProblem) -> [TypedRoutine.Step] {
    var typed: [TypedRoutine.Step] = []
    for step in steps {
      do throws(ExpressionProblem) {
        typed.append(try self.step(step))
      } catch {
        // PL/pgSQL looks names up when it comes to the step.
        let codes: [SQLFailure.Code] = [.unknownTable, .unknownColumn, .ambiguousColumn, .structureMismatch]
        guard isLate, codes.contains(error.failure.code) else { throw error }
        typed.append(.fails(error.failure))
      }
    }
    return typed
  }

  // MARK: Places

  func slot(_ target: SQLColumn) throws(ExpressionProblem) -> (TypedRoutine.Slot, ColumnShape) {
    let rows = (table.map { RowSource.ofTrigger($0) } ?? []) + records
    if let name = target.table, let place = rows.firstIndex(where: { $0.alias == name }) {
      guard let column = rows[place].shape.columns.firstIndex(where: { $0.name == target.name }) else {
        throw ExpressionProblem(
          SQLFailure(.unknownObject, "record \"\(name)\" has no field \"\(target.name)\""), at: SourceOffset(0))
      }
      return (.column(source: place + 1, column), rows[place].shape.columns[column])
    }
    guard target.table == nil || target.table == function.name.name,
      let place = variables.lastIndex(where: { $0.name.utf8.elementsEqual(target.name.utf8) })
    else { throw problem("\"\(target.name)\" is not a known variable") }
    return (.variable(place), variables[place])
  }

  /// The source of the row that a name stands for; nil if it stands for none.
  func record(_ column: SQLColumn) -> Int? {
    guard column.table == nil, let place = records.firstIndex(where: { $0.alias == column.name }) else { return nil }
    return place + 1 + (table == nil ? 0 : 2)
  }

  /// What gets the values of a query's row, which the query's values are converted to.
  mutating func target(
    _ targets: [SQLColumn], _ query: SQLQuery
  ) throws(ExpressionProblem) -> (TypedQuery, TypedRoutine.Target) {
    if targets.count == 1, let source = record(targets[0]) {
      let typed = try scope.resolved(query)
      set(source, typed.columns)
      return (typed, .row(source))
    }
    let (slots, columns) = try slots(targets)
    let typed = try scope.resolved(query)
    guard typed.results.count == slots.count else {
      throw problem("the query finds \(typed.results.count) values for \(slots.count) variables")
    }
    if typed.isCounting || typed.results.map(\.type) == columns.map(\.type) { return (typed, .slots(slots)) }
    return (try scope.resolved(query, as: columns), .slots(slots))
  }

  func slots(_ targets: [SQLColumn]) throws(ExpressionProblem) -> ([TypedRoutine.Slot], [ColumnShape]) {
    var slots: [TypedRoutine.Slot] = []
    var columns: [ColumnShape] = []
    for target in targets {
      let (slot, column) = try slot(target)
      slots.append(slot)
      columns.append(column)
    }
    return (slots, columns)
  }

  /// The row of a source has those columns from now on, unless its own are known.
  mutating func set(_ source: Int, _ columns: [ColumnShape]) {
    let place = source - 1 - (table == nil ? 0 : 2)
    records[place].shape.columns = columns
    recordSizes[place] = max(recordSizes[place], columns.count)
  }

  /// The place of the value of a call that is returned.
  var resultSlot: TypedRoutine.Slot? {
    variables.firstIndex { $0.name == Self.resultName }.map { .variable($0) }
  }

  func problem(_ message: String) -> ExpressionProblem {
    ExpressionProblem(SQLFailure(.syntax, message), at: SourceOffset(0))
  }
}

extension RoutineBody.Step {
  /// The names of the variables that loops of the step count with.
  fileprivate var counters: [String] {
    switch self {
    case .loop(.numbers(let name, _, _, _, _), let steps, _): [name] + steps.flatMap(\.counters)
    case .loop(_, let steps, _): steps.flatMap(\.counters)
    case .branch(let branches, let otherwise): (branches.flatMap(\.steps) + otherwise).flatMap(\.counters)
    case .block(let steps, let handlers): (steps + handlers.flatMap(\.steps)).flatMap(\.counters)
    default: []
    }
  }
}

extension SQLFailure.Code {
  /// Rows of a function have other columns than it says.
  package static let structureMismatch = SQLFailure.Code(rawValue: "42804")
}
