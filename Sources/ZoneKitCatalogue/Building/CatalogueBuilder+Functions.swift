import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Functions and triggers.
extension CatalogueBuilder {
  // MARK: Functions

  mutating func create(_ function: CreateFunction, at offset: SourceOffset) {
    let name = Catalogue.full(function.name)
    guard name.schema == ObjectName.usualSchema else {
      // The functions of a server of Supabase are there.
      if FunctionTable.isKnown(function.name) { return }
      return refuse("functions are made in the schema public: write public.\(name.name)", at: function.name.offset)
    }
    guard catalogue.functions[name] == nil || function.replaces else {
      let message = "function \"\(name.name)\" already exists with same argument types"
      return refuse(message, at: function.name.offset)
    }
    var fixed = fixedAnswers[name.name]
    if fixed == nil, case .unsupported(let reason) = function.body {
      fixed = fixedAnswers[FixedAnswer.everyOther]
      guard fixed == nil else { return add(function, name, fixed) }
      let right = "leave it out, or name a fixed answer for it in the file of --functions"
      return refuse("the function \(name.name) is not supported: \(reason); \(right)", at: offset)
    }
    add(function, name, fixed)
  }

  private mutating func add(_ function: CreateFunction, _ name: ObjectName, _ fixed: FixedAnswer?) {
    var made = CatalogueFunction(
      name: name, parameters: [], defaults: [], result: .nothing, body: nil, isDefiner: function.isDefiner,
      order: functionCount)
    functionCount += 1
    let catalogue = self.catalogue
    if case .unsupported = function.body {
      // Its parameters and its result may be of types that are not known here.
      try? Self.set(function, &made, catalogue)
    } else {
      check { () throws(ExpressionProblem) in try Self.set(function, &made, catalogue) }
    }
    guard isAccepted else { return }
    // A fixed answer stands for what the function would do.
    if let fixed {
      made.body = fixed.value.map { RoutineBody([.returns(SQLExpression(.constant($0), at: function.name.offset))]) }
    }
    self.catalogue.functions[name] = made
  }

  private static func set(
    _ function: CreateFunction, _ made: inout CatalogueFunction, _ catalogue: Catalogue
  ) throws(ExpressionProblem) {
    let names = catalogue.names
    if case .steps(let body) = function.body { made.body = body }
    switch function.result {
    case .trigger: made.result = .trigger
    case .value(let type): made.result = try result(type, isOne: true, catalogue)
    case .values(let type): made.result = try result(type, isOne: false, catalogue)
    case .rows(let columns):
      made.result = .rows(
        try columns.map { (column) throws(ExpressionProblem) in
          ColumnShape(column.name, try DatumType(resolving: column.type, names))
        })
    case .nothing, .other: made.result = .nothing
    }
    if case .value = made.result { made.body = made.body?.returningValue }
    made.parameters = try function.parameters.map { (parameter) throws(ExpressionProblem) in
      ColumnShape(parameter.name, try DatumType(resolving: parameter.type, names))
    }
    made.defaults = function.parameters.compactMap(\.defaultValue)
    _ = try made.typedDefaults(names)
  }

  /// What a function returns: values or rows, or one of them.
  private static func result(
    _ type: SQLType, isOne: Bool, _ catalogue: Catalogue
  ) throws(ExpressionProblem) -> CatalogueFunction.Result {
    if case .named(let name) = type.kind, !type.isArray, let table = catalogue.table(name) {
      return .table(table.name, isOne: isOne)
    }
    let type = try DatumType(resolving: type, catalogue.names)
    return isOne ? .value(type) : .values(type)
  }

  /// What a file says that a function answers, instead of what the function does.
  package struct FixedAnswer: Equatable, Sendable {
    /// The name that stands for every other function.
    package static let everyOther = "*"
    /// The value where an expression calls the function; nil for anything else.
    package var value: SQLConstant?

    /// An answer with that value.
    package init(_ value: SQLConstant?) { self.value = value }
  }

  // MARK: Triggers

  mutating func create(_ trigger: CreateTrigger, at offset: SourceOffset) {
    guard var table = triggered(trigger.table) else { return }
    let function = Catalogue.full(trigger.function)
    let isModdatetime = trigger.function.name == CatalogueTrigger.moddatetime && catalogue.functions[function] == nil
    if isModdatetime {
      guard trigger.arguments.count == 1 else {
        return refuse("moddatetime needs the name of the column that it sets", at: trigger.function.offset)
      }
    } else {
      guard let found = catalogue.functions[function] else {
        return refuse("function \(trigger.function.plain)() does not exist", at: trigger.function.offset)
      }
      guard found.result == .trigger || found.body == nil else {
        return refuse("function \(trigger.function.plain) must return type trigger", at: trigger.function.offset)
      }
    }
    for column in trigger.columns where table.index(of: column) == nil {
      let message = "column \"\(column)\" of relation \"\(table.name.name)\" does not exist"
      return refuse(message, at: offset)
    }
    let new = CatalogueTrigger(
      name: trigger.name, isBefore: trigger.isBefore, events: trigger.events, columns: trigger.columns,
      condition: trigger.condition, function: function, arguments: trigger.arguments)
    check(new, of: table, at: offset)
    if let old = table.triggers.firstIndex(where: { $0.name == trigger.name }) {
      guard trigger.replaces else {
        let message = "trigger \"\(trigger.name)\" for relation \"\(table.name.name)\" already exists"
        return refuse(message, at: offset)
      }
      table.triggers.remove(at: old)
    }
    guard table.triggers.count < Self.triggerLimit else {
      return refuse("\(table.name) has more triggers: a table has at most \(Self.triggerLimit)", at: offset)
    }
    table.triggers.insert(new, at: table.triggers.firstIndex { $0.name > new.name } ?? table.triggers.count)
    keep(table)
  }

  /// The most triggers of a table. The work that a row makes grows with them.
  private static let triggerLimit = 100

  /// A table that can have triggers: one of the schema, or the accounts.
  private mutating func triggered(_ name: SQLName) -> CatalogueTable? {
    Catalogue.full(name) == BuiltInTables.users ? table(name) : ownTable(name)
  }

  /// Checks what a trigger would do.
  private mutating func check(_ trigger: CatalogueTrigger, of table: CatalogueTable, at offset: SourceOffset) {
    do throws(ExpressionProblem) {
      _ = try catalogue.condition(of: trigger, of: table)
      _ = try catalogue.routine(of: trigger, of: table)
    } catch {
      // Only a fixed answer stands for the function.
      if fixedAnswers[FixedAnswer.everyOther] != nil { return }
      let message = [error.failure.message, error.failure.hint].compactMap(\.self).joined(separator: "; ")
      refuse("the trigger \(trigger.name) calls \(trigger.function.name): \(message)", at: offset)
    }
  }

  mutating func dropTrigger(_ name: String, of table: SQLName, _ drop: DropStatement, at offset: SourceOffset) {
    if drop.ifExists, catalogue.table(table) == nil { return }
    guard var found = triggered(table) else { return }
    guard let index = found.triggers.firstIndex(where: { $0.name == name }) else {
      if !drop.ifExists { refuse("trigger \"\(name)\" for table \"\(found.name.name)\" does not exist", at: offset) }
      return
    }
    found.triggers.remove(at: index)
    keep(found)
  }
}

extension RoutineBody {
  /// The same, with a value where the last query of a function in SQL finds one.
  fileprivate var returningValue: RoutineBody {
    guard !isLate, case .returnsRows(let query)? = steps.last else { return self }
    var body = self
    body.steps[steps.count - 1] = .returns(SQLExpression(.query(query), at: query.offset))
    return body
  }
}
