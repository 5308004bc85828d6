import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// The end of a function.
struct RoutineEnd {
  /// What a function returns.
  enum Result {
    /// A value; nil if it returns nothing.
    case value(Datum?)
    /// The row of a trigger.
    case row(TypedRoutine.Row?)
  }

  /// What it returns; nil if its steps ended without that.
  var result: Result?
  /// The rows of a trigger, `new` first.
  var rows: [[Datum]]
}

/// Functions of the schema.
extension RowStatements {
  /// Carries out a function. `facts` are what a trigger tells it, `rows` the trigger's rows.
  mutating func run(
    _ routine: TypedRoutine, _ arguments: [Datum], facts: [Datum] = [], rows: [[Datum]] = []
  ) throws(RelationFailure) -> RoutineEnd {
    guard routineDepth < Self.routineDepthLimit else {
      throw .refused(SQLFailure(.depthLimit, "stack depth limit exceeded"))
    }
    routineDepth += 1
    let caller = context.role
    if routine.isDefiner { actAs(RowSecurity.unlimitedRole) }
    defer {
      routineDepth -= 1
      actAs(caller)
    }
    let own = routine.variables.count - arguments.count - facts.count
    let variables = arguments + [Datum](repeating: .null, count: own) + facts
    var frame = [variables] + rows
    for (place, value) in routine.initialValues { frame[0][place] = try self.value(value, in: frame) }
    let result = try run(routine.steps, &frame)
    return RoutineEnd(result: result, rows: Array(frame.dropFirst()))
  }

  /// How deeply functions and the triggers of what they write may call each other.
  private static var routineDepthLimit: Int { 32 }

  /// Carries out steps. Returns what the function returns; nil if it goes on behind them.
  private mutating func run(
    _ steps: [TypedRoutine.Step], _ frame: inout [[Datum]]
  ) throws(RelationFailure) -> RoutineEnd.Result? {
    for step in steps {
      guard changes.count <= RelationLimits.changedRows else {
        throw .refused(
          SQLFailure(.programLimit, "the functions would change more than \(RelationLimits.changedRows) rows"))
      }
      switch step {
      case .assign(let slot, let value): frame.set(slot, try self.value(value, in: frame))
      case .select(let query, let slots):
        let values = try firstRow(of: query, in: frame)
        for (number, slot) in slots.enumerated() { frame.set(slot, values?[number] ?? .null) }
      case .insert(let name, let rows, let conflict, let returning, let slots):
        let written = try insert(rows, into: name, conflict, frame, isReturning: !returning.isEmpty)
        for (value, slot) in zip(returning, slots) {
          frame.set(
            slot,
            try written.first.map { (row) throws(RelationFailure) in
              try self.value(inside(value, frame), in: [row.values])
            } ?? .null)
        }
      case .update(let name, let values, let condition): try update(values, of: name, condition, frame)
      case .delete(let name, let condition): try delete(from: name, condition, frame)
      case .branch(let branches, let otherwise):
        var chosen = otherwise
        for branch in branches where try value(branch.condition, in: frame) == .boolean(true) {
          chosen = branch.steps
          break
        }
        if let result = try run(chosen, &frame) { return result }
      case .raise(let text, let values, let code): throw .refused(try raised(text, values, code, frame))
      case .returns(let value):
        return .value(
          try value.map { (value) throws(RelationFailure) in
            try self.value(value, in: frame)
          })
      case .returnsRow(let row): return .row(row)
      }
    }
    return nil
  }

  private func raised(
    _ text: String, _ values: [TypedExpression], _ code: String, _ frame: [[Datum]]
  ) throws(RelationFailure) -> SQLFailure {
    var message = ""
    var next = 0
    for part in text.split(separator: "%", omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0, next < values.count {
        let value = try value(values[next], in: frame)
        message += value == .null ? "<NULL>" : values[next].type.text(of: value)
        next += 1
      }
      message += part.element
    }
    return SQLFailure(SQLFailure.Code(rawValue: code), message)
  }

  // MARK: Values

  /// The value of an expression about a row of each source.
  func value(_ expression: TypedExpression, in rows: [[Datum]]) throws(RelationFailure) -> Datum {
    guard expression.hasQuery else {
      return try RelationFailure.refusing { () throws(SQLFailure) in try expression.value(in: rows, context) }
    }
    let constant = try secured(expression, rows)
    if case .query(let query) = constant.kind { return try firstRow(of: query)?.first ?? .null }
    let own = try context.reading(constant.relations, in: store)
    return try RelationFailure.refusing { () throws(SQLFailure) in try constant.value(of: [], own) }
  }

  /// The expression with values in place of what it knows of the sources, and with the rows alone that the role may read.
  private func secured(_ expression: TypedExpression, _ rows: [[Datum]]) throws(RelationFailure) -> TypedExpression {
    try RelationFailure.refusing { () throws(SQLFailure) in
      try security.secured(
        expression.mapped { place, depth in
          place.level == depth ? .constant(rows[place.source][place.column]) : .column(place)
        })
    }
  }

  /// The values of the first row that a query about sources finds; nil if there is none.
  private func firstRow(of query: TypedQuery, in rows: [[Datum]]) throws(RelationFailure) -> [Datum]? {
    var first = query
    if query.limit == nil, !query.isCounting { first.limit = TypedExpression(.constant(.integer(1)), .bigint) }
    let one = TypedExpression(.query(first), query.results.first?.type ?? .text)
    guard case .query(let constant) = try secured(one, rows).kind else { return nil }
    return try firstRow(of: constant)
  }

  /// The values of the first row that a query without sources around it finds.
  private func firstRow(of query: TypedQuery) throws(RelationFailure) -> [Datum]? {
    guard query.sources.count == 1, query.isPlain || query.isCounting else { return try rows(of: query).first }
    var search = RowSearch(query.sources[0].shape.objectName, where: query.condition, context)
    if query.isCounting { return [.integer(Int64(try store.count(search)))] }
    search.limit = 1
    guard let row = try store.rows(search).first else { return nil }
    var values: [Datum] = []
    for result in query.results { values.append(try value(result, in: [row.values])) }
    return values
  }

  // MARK: Statements

  private func target(_ name: ObjectName) throws(RelationFailure) -> PreparedTable {
    guard let table = schema.tables[name] else {
      throw .refused(SQLFailure(.unknownTable, "relation \"\(name.name)\" does not exist"))
    }
    return table
  }

  private mutating func insert(
    _ rows: TypedRoutine.NewRows, into name: ObjectName, _ conflict: InsertRows.Conflict, _ frame: [[Datum]],
    isReturning: Bool
  ) throws(RelationFailure) -> [StoredRow] {
    let table = try target(name)
    var values: [[Int: Datum]] = []
    switch rows {
    case .values(let rows):
      for row in rows {
        values.append(try row.mapped { (value) throws(RelationFailure) in try self.value(value, in: frame) })
      }
    case .query(let query, let places):
      let one = TypedExpression(.query(query), .text)
      guard case .query(let constant) = try secured(one, frame).kind else { break }
      for row in try self.rows(of: constant) { values.append(Dictionary(uniqueKeysWithValues: zip(places, row))) }
    }
    return try insert(values, into: table, conflict: InsertConflict(conflict), isReturning: isReturning)
  }

  /// The rows that a query without sources around it finds.
  func rows(of query: TypedQuery) throws(RelationFailure) -> [[Datum]] {
    let own = try context.reading(query.relations, in: store)
    return try RelationFailure.refusing { () throws(SQLFailure) in try query.rows(own) }
  }

  /// The rows of a statement that it may change.
  private func rows(
    of table: PreparedTable, _ condition: TypedExpression?, _ command: CreatePolicy.Command, _ frame: [[Datum]]
  ) throws(RelationFailure) -> [StoredRow] {
    let own = try condition.map { (condition) throws(RelationFailure) in try self.inside(condition, frame) }
    let all = try RelationFailure.refusing { () throws(SQLFailure) in
      [own, try security.using(command, of: table), try own == nil ? nil : security.using(.select, of: table)]
    }
    return try store.rows(RowSearch(table.name, where: .all(all.compactMap(\.self)), context))
  }

  /// The expression about a row of a statement's table, with values in place of what it knows of the sources.
  private func inside(_ expression: TypedExpression, _ frame: [[Datum]]) throws(RelationFailure) -> TypedExpression {
    try RelationFailure.refusing { () throws(SQLFailure) in
      try security.secured(
        expression.mapped { place, depth in
          place.level == depth + 1 ? .constant(frame[place.source][place.column]) : .column(place)
        })
    }
  }

  private mutating func update(
    _ values: [Int: TypedExpression], of name: ObjectName, _ condition: TypedExpression?, _ frame: [[Datum]]
  ) throws(RelationFailure) {
    let table = try target(name)
    let constant = try values.mapped { (value) throws(RelationFailure) in try inside(value, frame) }
    for row in try rows(of: table, condition, .update, frame) {
      let changes = try constant.mapped { (value) throws(RelationFailure) in try self.value(value, in: [row.values]) }
      _ = try update([row], changes, in: table, isReturning: condition != nil)
    }
  }

  private mutating func delete(
    from name: ObjectName, _ condition: TypedExpression?, _ frame: [[Datum]]
  ) throws(RelationFailure) {
    let table = try target(name)
    try delete(rows(of: table, condition, .delete, frame), from: table)
  }
}

extension [[Datum]] {
  /// Gives a place of a function's frame a value.
  fileprivate mutating func set(_ slot: TypedRoutine.Slot, _ value: Datum) {
    switch slot {
    case .variable(let place): self[0][place] = value
    case .new(let place): self[1][place] = value
    }
  }
}

extension InsertConflict {
  /// What is written behind an insert.
  init(_ conflict: InsertRows.Conflict) {
    switch conflict {
    case .fails: self = .fails
    case .doesNothing(let columns): self = .ignores(columns)
    case .updates(let columns, let key): self = .merges(key, only: Set(columns))
    }
  }
}

extension [Int: TypedExpression] {
  /// The same with other values.
  fileprivate func mapped<Other>(
    _ body: (TypedExpression) throws(RelationFailure) -> Other
  ) throws(RelationFailure) -> [Int: Other] {
    var mapped: [Int: Other] = [:]
    for (place, value) in self { mapped[place] = try body(value) }
    return mapped
  }
}

extension SQLFailure {
  /// The failure of a read within an expression.
  init(_ failure: RelationFailure) {
    switch failure {
    case .refused(let own): self = own
    case .store(let error): self.init(.storeFailed, "\(error)")
    }
  }
}
