import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSchema

/// What comes behind a step.
enum RoutineFlow {
  /// The next step.
  case goesOn
  /// The end of the function.
  case ends(RoutineEnd.Result)
  /// The end of a loop, or its next turn.
  case leaves(label: String?, isContinue: Bool)
}

/// Steps of functions.
extension RowStatements {
  /// Carries out steps.
  mutating func run(
    _ steps: [TypedRoutine.Step], _ frame: inout RoutineFrame
  ) throws(RelationFailure) -> RoutineFlow {
    for step in steps {
      guard changes.count <= RelationLimits.changedRows, frame.added.count <= RelationLimits.changedRows else {
        throw .refused(
          SQLFailure(.programLimit, "the functions would change or return more than \(RelationLimits.changedRows) rows")
        )
      }
      try count()
      let flow = try run(step, &frame)
      if case .goesOn = flow { continue }
      return flow
    }
    return .goesOn
  }

  /// Counts a step. Throws if there are too many.
  private mutating func count() throws(RelationFailure) {
    routineSteps += 1
    guard routineSteps <= RelationLimits.routineSteps else {
      throw .refused(SQLFailure(.canceled, "canceling statement due to statement timeout"))
    }
  }

  private mutating func run(_ step: TypedRoutine.Step, _ frame: inout RoutineFrame) throws(RelationFailure)
    -> RoutineFlow
  {
    switch step {
    case .assign(let slot, let value): frame.set(slot, try self.value(value, in: frame.rows))
    case .select(let query, let target, let isStrict): try select(query, target, isStrict, &frame)
    case .perform(let query): frame.tell(try rows(of: query, in: frame.rows).count)
    case .call(let name, let arguments, let slot):
      let value = try call(name, arguments, frame)
      if let slot { frame.set(slot, value ?? .null) } else { frame.tell(1) }
    case .write(let write, let returning, let target, let isReturned):
      let written = try self.write(write, frame.rows, isReturning: !returning.isEmpty)
      frame.tell(written.count)
      guard !returning.isEmpty else { break }
      let rows = isReturned ? written[...] : written.prefix(1)
      var values: [[Datum]] = []
      for row in rows {
        values.append(
          try returning.map { (value) throws(RelationFailure) in
            try self.value(inside(value, frame.rows), in: [row.values])
          })
      }
      if isReturned { frame.added += values } else if let target { frame.set(target, values.first) }
    case .branch(let branches, let otherwise):
      for branch in branches where try value(branch.condition, in: frame.rows) == .boolean(true) {
        return try run(branch.steps, &frame)
      }
      return try run(otherwise, &frame)
    case .loop(let loop, let steps, let label): return try run(loop, steps, label, &frame)
    case .leave(let label, let isContinue): return .leaves(label: label, isContinue: isContinue)
    case .block(let steps, let handlers): return try run(steps, handlers, &frame)
    case .raise(let raise): throw .refused(try raised(raise, frame))
    case .fails(let failure): throw .refused(failure)
    case .rowCount(let slot): frame.set(slot, .integer(frame.rowCount))
    case .returns(let value):
      return .ends(
        .value(try value.map { (value) throws(RelationFailure) in try self.value(value, in: frame.rows) }))
    case .returnsRow(let row): return .ends(.row(row))
    case .returnsRecord(let source): return .ends(.record(frame.rows[source]))
    case .returnsRows(let query):
      let found = try query.isCounting ? [firstRow(of: query, in: frame.rows) ?? []] : rows(of: query, in: frame.rows)
      frame.added += found
      frame.tell(found.count)
    case .returnsNext(let values):
      frame.added.append(try values.map { (value) throws(RelationFailure) in try self.value(value, in: frame.rows) })
    }
    return .goesOn
  }

  private mutating func select(
    _ query: TypedQuery, _ target: TypedRoutine.Target, _ isStrict: Bool, _ frame: inout RoutineFrame
  ) throws(RelationFailure) {
    guard isStrict, !query.isCounting else {
      let row = try firstRow(of: query, in: frame.rows)
      frame.set(target, row)
      return frame.tell(row == nil ? 0 : 1)
    }
    let found = try rows(of: query, in: frame.rows)
    guard found.count > 0 else { throw .refused(SQLFailure(.noDataFound, "query returned no rows")) }
    guard found.count == 1 else {
      throw .refused(
        SQLFailure(
          .tooManyRows, "query returned more than one row",
          hint: "Make sure the query returns a single row, or use LIMIT 1."))
    }
    frame.set(target, found[0])
    frame.tell(1)
  }

  /// The value of a call of another function; nil for none.
  private mutating func call(
    _ name: ObjectName, _ arguments: [TypedExpression], _ frame: RoutineFrame
  ) throws(RelationFailure) -> Datum? {
    guard let called = schema.routines[name.name] else {
      throw .refused(SQLFailure(.unknownFunction, "function \(name) does not exist"))
    }
    var values: [Datum] = []
    for argument in arguments { values.append(try value(argument, in: frame.rows)) }
    let end = try run(called.routine, values)
    guard case .value(let value)? = end.result else {
      guard case .value = called.routine.result else { return nil }
      throw .refused(.noReturn)
    }
    return value
  }

  // MARK: Errors

  private func raised(_ raise: TypedRoutine.Raise, _ frame: RoutineFrame) throws(RelationFailure) -> SQLFailure {
    func text(_ value: TypedExpression?) throws(RelationFailure) -> String? {
      guard let value, case .text(let text) = try self.value(value, in: frame.rows) else { return nil }
      return text
    }
    if raise.format == nil, raise.code == nil, raise.options.isEmpty {
      guard let error = frame.errors.last else {
        return SQLFailure(.noError, "RAISE without parameters cannot be used outside an exception handler")
      }
      return error
    }
    let message = try message(raise, frame)
    let given = try text(raise.options["errcode"])
    let code = given.map { RoutineCondition.code(of: $0) ?? $0 } ?? raise.code ?? "P0001"
    return SQLFailure(
      SQLFailure.Code(rawValue: code), try text(raise.options["message"]) ?? (raise.format == nil ? code : message),
      detail: try text(raise.options["detail"]), hint: try text(raise.options["hint"]))
  }

  /// The message of an error, in which two percent signs stand for one.
  private func message(_ raise: TypedRoutine.Raise, _ frame: RoutineFrame) throws(RelationFailure) -> String {
    var texts = raise.values[...]
    var message = ""
    var rest = (raise.format ?? "").unicodeScalars[...]
    while let next = rest.popFirst() {
      guard next == "%" else {
        message.unicodeScalars.append(next)
        continue
      }
      if rest.first == "%" {
        rest.removeFirst()
        message.append("%")
      } else if let text = texts.popFirst() {
        let value = try value(text, in: frame.rows)
        message += value == .null ? "<NULL>" : text.type.text(of: value)
      }
    }
    return message
  }

  /// Carries out the steps of a block. What they wrote is undone if they fail and a handler does its steps.
  private mutating func run(
    _ steps: [TypedRoutine.Step], _ handlers: [TypedRoutine.Handler], _ frame: inout RoutineFrame
  ) throws(RelationFailure) -> RoutineFlow {
    let (count, role) = (changes.count, context.role)
    try storing { (store) throws(StoreError) in try store.begin() }
    do throws(RelationFailure) {
      let flow = try run(steps, &frame)
      try storing { (store) throws(StoreError) in try store.end(keeping: true) }
      return flow
    } catch {
      try storing { (store) throws(StoreError) in try store.end(keeping: false) }
      forgetChanges(behind: count)
      actAs(role)
      guard case .refused(let failure) = error,
        let handler = handlers.first(where: { handler in
          handler.conditions.contains { RoutineCondition.isNamed($0, failure.code.rawValue) }
        })
      else { throw error }
      frame.errors.append(failure)
      defer { frame.errors.removeLast() }
      frame.tell(failure)
      return try run(handler.steps, &frame)
    }
  }

  private mutating func storing(_ body: (inout Store) throws(StoreError) -> Void) throws(RelationFailure) {
    do throws(StoreError) {
      try body(&store)
    } catch {
      throw .store(error)
    }
  }

  // MARK: Loops

  private mutating func run(
    _ loop: TypedRoutine.Loop, _ steps: [TypedRoutine.Step], _ label: String?, _ frame: inout RoutineFrame
  ) throws(RelationFailure) -> RoutineFlow {
    var turns = 0
    var known: Datum?
    var numbers: (next: Int64, end: Int64, step: Int64) = (0, 0, 1)
    var given: [[Datum]] = []
    switch loop {
    case .numbers(let slot, let from, let to, let by, let isReverse):
      numbers = try self.numbers(from, to, by, isReverse, frame)
      if case .variable(let place) = slot { known = frame.rows[0][place] }
    case .rows(let query, _):
      given = try query.isCounting ? [firstRow(of: query, in: frame.rows) ?? []] : rows(of: query, in: frame.rows)
    case .elements(_, let array):
      guard case .array(let elements) = try value(array, in: frame.rows) else {
        throw .refused(SQLFailure(.nullNotAllowed, "FOREACH expression must not be null"))
      }
      given = elements.map { [$0] }
    case .forever, .whileTrue: break
    }
    turns: while true {
      switch loop {
      case .forever: break
      case .whileTrue(let condition):
        guard try value(condition, in: frame.rows) == .boolean(true) else { break turns }
      case .numbers(let slot, _, _, _, let isReverse):
        guard isReverse ? numbers.next >= numbers.end : numbers.next <= numbers.end else { break turns }
        frame.set(slot, .integer(numbers.next))
        numbers.next += isReverse ? -numbers.step : numbers.step
      case .rows(_, let target):
        guard turns < given.count else { break turns }
        frame.set(target, given[turns])
      case .elements(let slot, _):
        guard turns < given.count else { break turns }
        frame.set(slot, given[turns][0])
      }
      turns += 1
      try count()
      switch try run(steps, &frame) {
      case .goesOn: continue
      case .leaves(let other, let isContinue) where other == nil || other == label:
        if isContinue { continue }
        break turns
      case let flow: return flow
      }
    }
    // The variable of a loop is its own.
    if case .numbers(let slot, _, _, _, _) = loop, let known { frame.set(slot, known) }
    frame.tell(turns)
    return .goesOn
  }

  private func numbers(
    _ from: TypedExpression, _ to: TypedExpression, _ by: TypedExpression?, _ isReverse: Bool, _ frame: RoutineFrame
  ) throws(RelationFailure) -> (next: Int64, end: Int64, step: Int64) {
    var bounds: [Int64] = []
    for (value, name) in [(from, "lower bound"), (to, "upper bound"), (by, "BY value")] {
      guard let value else { continue }
      guard case .integer(let number) = try self.value(value, in: frame.rows) else {
        throw .refused(SQLFailure(.nullNotAllowed, "\(name) of FOR loop cannot be null"))
      }
      bounds.append(number)
    }
    let step = bounds.count > 2 ? bounds[2] : 1
    guard step > 0 else {
      throw .refused(SQLFailure(.invalidParameter, "BY value of FOR loop must be greater than zero"))
    }
    return (bounds[0], bounds[1], step)
  }
}

extension SQLFailure {
  /// A function that returns a value has ended without one.
  static let noReturn = SQLFailure(.noRowReturned, "control reached end of function without RETURN")
}

extension SQLFailure.Code {
  /// A strict query has found no row.
  static let noDataFound = SQLFailure.Code(rawValue: "P0002")
  /// A strict query has found several rows.
  static let tooManyRows = SQLFailure.Code(rawValue: "P0003")
  /// There is no error to raise again.
  static let noError = SQLFailure.Code(rawValue: "0Z002")
}
