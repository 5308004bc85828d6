import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Steps.
extension RoutineTyping {
  mutating func step(_ step: RoutineBody.Step) throws(ExpressionProblem) -> TypedRoutine.Step {
    switch step {
    case .assign(let target, let value):
      let (slot, column) = try slot(target)
      if let call = try call(value, into: slot) { return call }
      return .assign(slot, try scope.resolve(value, as: column))
    case .select(let query, let targets, let isStrict):
      if targets.count == 1, record(targets[0]) == nil, let value = query.onlyValue,
        let call = try call(value, into: slot(targets[0]).0)
      {
        return call
      }
      let (typed, target) = try target(targets, query)
      return .select(typed, into: target, isStrict: isStrict)
    case .perform(let query):
      if let value = query.onlyValue, let call = try call(value, into: nil) { return call }
      return .perform(try scope.resolved(query))
    case .write(let write, let targets): return try self.write(write, into: targets, isReturned: false)
    case .returnsWritten(let write): return try self.write(write, into: [], isReturned: true)
    case .branch(let branches, let otherwise):
      var typed: [TypedRoutine.Branch] = []
      for branch in branches {
        let condition = try scope.condition(branch.condition, of: "IF")
        typed.append(TypedRoutine.Branch(condition: condition, steps: try steps(branch.steps)))
      }
      return .branch(typed, otherwise: try steps(otherwise))
    case .loop(let kind, let inner, let label): return .loop(try loop(kind), try steps(inner), label: label)
    case .leave(let label, let isContinue): return .leave(label: label, isContinue: isContinue)
    case .block(let inner, let handlers):
      let typed = try steps(inner)
      var others: [TypedRoutine.Handler] = []
      for handler in handlers {
        others.append(TypedRoutine.Handler(conditions: handler.conditions, steps: try steps(handler.steps)))
      }
      return .block(typed, others)
    case .raise(let raise): return .raise(try self.raise(raise))
    case .rowCount(let target): return .rowCount(try slot(target).0)
    case .returns(let value): return try returns(value)
    case .returnsRows(let query): return try returnsRows(query)
    case .returnsNext(let value): return try returnsNext(value)
    }
  }

  /// The call of a function of the schema that does more than to compute a value; nil for any other expression.
  private func call(_ value: SQLExpression, into slot: TypedRoutine.Slot?) throws(ExpressionProblem) -> TypedRoutine
    .Step?
  {
    guard case .call(let name, let values) = value.kind, !FunctionTable.isKnown(name) else { return nil }
    let full = Catalogue.full(name)
    guard let called = catalogue.functions[full], called.body != nil, called.result != .trigger,
      catalogue.names.function(name) == nil
    else { return nil }
    switch called.result {
    case .value, .nothing: break
    default: if slot != nil { return nil }
    }
    let defaults = try called.typedDefaults(catalogue.names)
    guard (called.parameters.count - defaults.count...called.parameters.count).contains(values.count) else {
      throw ExpressionProblem(
        SQLFailure(.unknownFunction, "function \(name.plain) does not exist with \(values.count) values"),
        at: name.offset)
    }
    var typed: [TypedExpression] = []
    for (value, parameter) in zip(values, called.parameters) { typed.append(try scope.resolve(value, as: parameter)) }
    typed += defaults.suffix(called.parameters.count - values.count)
    return .call(full, typed, into: slot)
  }

  private mutating func loop(_ loop: RoutineBody.Loop) throws(ExpressionProblem) -> TypedRoutine.Loop {
    switch loop {
    case .forever: return .forever
    case .whileTrue(let condition): return .whileTrue(try scope.condition(condition, of: "WHILE"))
    case .numbers(let name, let from, let to, let by, let isReverse):
      let (slot, _) = try slot(SQLColumn(name))
      let column = ColumnShape(name, .integer)
      let step = try by.map { (by) throws(ExpressionProblem) in try scope.resolve(by, as: column) }
      return .numbers(
        slot, from: try scope.resolve(from, as: column), to: try scope.resolve(to, as: column), by: step,
        isReverse: isReverse)
    case .rows(let targets, let query):
      let (typed, target) = try target(targets, query)
      return .rows(typed, into: target)
    case .elements(let target, let array):
      let (slot, column) = try slot(target)
      let typed = try scope.resolve(array)
      guard typed.type.element?.unlimited == column.type.unlimited else {
        throw problem("\"\(target.name)\" is of type \(column.type.name), the array of type \(typed.type.name)")
      }
      return .elements(slot, typed)
    }
  }

  private func raise(_ raise: RoutineBody.Raise) throws(ExpressionProblem) -> TypedRoutine.Raise {
    var typed = TypedRoutine.Raise(format: raise.format, values: [], code: raise.code, options: [:])
    for value in raise.values { typed.values.append(try scope.resolve(value)) }
    for option in raise.options {
      typed.options[option.name] = try scope.resolve(option.value, as: ColumnShape(option.name, .text))
    }
    return typed
  }

  // MARK: What is returned

  private func returns(_ value: SQLExpression?) throws(ExpressionProblem) -> TypedRoutine.Step {
    guard function.result == .trigger else {
      guard let value else { return .returns(nil) }
      switch result {
      case .value(let type):
        if let slot = resultSlot, case .variable(let place) = slot, let call = try call(value, into: slot) {
          let returned = TypedExpression(.column(ColumnPlace(column: place)), type)
          return .branch(
            [
              TypedRoutine.Branch(
                condition: TypedExpression(.constant(.boolean(true)), .boolean), steps: [call, .returns(returned)])
            ],
            otherwise: [])
        }
        return .returns(try scope.resolve(value, as: ColumnShape(function.name.name, type)))
      case .rows(_, _, isOne: true):
        guard case .column(let column) = value.kind, let source = record(column) else {
          throw problem("a row is returned as a variable, or by a function in SQL")
        }
        return .returnsRecord(source)
      case .nothing, .values, .rows: return .returns(nil)
      }
    }
    guard case .column(let row)? = value?.kind else { return .returnsRow(nil) }
    switch row.name {
    case "new": return .returnsRow(.new)
    case "old": return .returnsRow(.old)
    case "coalesce": return .returnsRow(.newOrOld)
    default: return .returnsRow(nil)
    }
  }

  /// The columns of the rows that it returns.
  private var columns: [ColumnShape] {
    switch result {
    case .rows(let columns, _, _): columns
    case .value(let type), .values(let type): [ColumnShape(function.name.name, type)]
    case .nothing: []
    }
  }

  private func returnsRows(_ query: SQLQuery) throws(ExpressionProblem) -> TypedRoutine.Step {
    let wanted = columns
    guard function.body?.isLate ?? false else {
      // The last query of a function in SQL is converted.
      return .returnsRows(try scope.resolved(query, as: wanted))
    }
    let typed = try scope.resolved(query)
    func mismatch(_ detail: String) -> ExpressionProblem {
      ExpressionProblem(
        SQLFailure(.structureMismatch, "structure of query does not match function result type", detail: detail),
        at: query.offset)
    }
    guard typed.results.count == wanted.count else {
      throw mismatch(
        "Number of returned columns (\(typed.results.count)) does not match expected column count (\(wanted.count)).")
    }
    for (place, (own, other)) in zip(typed.results, wanted).enumerated() {
      // A literal fits any type.
      if case .constant = own.kind, own.type == .text { continue }
      guard own.type.unlimited == other.type.unlimited else {
        throw mismatch(
          "Returned type \(own.type.fullName) does not match expected type \(other.type.fullName) in column \(place + 1)."
        )
      }
    }
    return .returnsRows(typed.isCounting ? typed : try scope.resolved(query, as: wanted))
  }

  private func returnsNext(_ value: SQLExpression?) throws(ExpressionProblem) -> TypedRoutine.Step {
    guard let value else {
      // The columns are variables.
      return .returnsNext(
        try columns.map { (column) throws(ExpressionProblem) in
          try scope.resolve(SQLExpression(.column(SQLColumn(column.name))))
        })
    }
    if case .column(let column) = value.kind, let source = record(column) {
      let fields = columns.indices.map { place in
        TypedExpression(.column(ColumnPlace(source: source, column: place)), columns[place].type)
      }
      return .returnsNext(fields)
    }
    guard case .values(let type) = result else {
      throw problem("RETURN NEXT is supported for values and for variables")
    }
    return .returnsNext([try scope.resolve(value, as: ColumnShape(function.name.name, type))])
  }
}

extension SQLQuery {
  /// The value if the query does nothing but to compute one, or to read what one function returns.
  fileprivate var onlyValue: SQLExpression? {
    guard condition == nil, order.isEmpty, limit == nil, skipped == nil, groups.isEmpty, results.count == 1 else {
      return nil
    }
    if tables.isEmpty, case .value(let value, _) = results[0] { return value }
    if tables.count == 1, case .function(let name, let values, _, _) = tables[0] {
      return SQLExpression(.call(name, values), at: name.offset)
    }
    return nil
  }
}
