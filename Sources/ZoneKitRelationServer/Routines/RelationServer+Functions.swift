import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitTables

/// Calls of functions, as PostgREST makes them below `rpc`.
extension RelationServer {
  /// Calls a function with arguments by their names. What a refused call did is undone.
  mutating func call(
    _ name: String, _ arguments: [JSON.Member], isReading: Bool, _ request: RelationRequest,
    _ context: EvaluationContext
  ) throws(RowError) -> Outcome {
    if let function = schema.answers.functions[name] {
      guard let answer = function.answer(to: arguments) else { throw .noAnswer(name) }
      return Outcome(result: .success(try Self.result(answer, request)))
    }
    guard let routine = schema.routines[name] else {
      // Nobody calls the function of a trigger.
      let made = schema.catalogue.functions[ObjectName(ObjectName.usualSchema, name)]
      if let made, made.result != .trigger { throw .noAnswer(name) }
      let known =
        schema.routines.keys.map { $0 } + schema.answers.functions.keys.filter { $0 != FunctionAnswers.everyOther }
      throw .unknownFunction(name, arguments.map(\.key), nearest: NearMiss.guess(for: name, among: known.sorted()))
    }
    let values = try routine.values(of: arguments, now: context.now)
    var statements = RowStatements(schema, on: store, context)
    defer { store = statements.store }
    let isSignedIn = context.role != "anon"
    do throws(StoreError) {
      let result = try statements.undoing { statements in
        Result { () throws(RelationFailure) in
          let end = try statements.run(routine.routine, values)
          if isReading, !statements.changes.isEmpty {
            throw .refused(SQLFailure(.readOnly, "cannot write rows in a read-only transaction"))
          }
          return end
        }.mapError { RowError($0, isSignedIn: isSignedIn) }.flatMap { end in
          Result { () throws(RowError) in try Self.answer(routine, end, request, statements) }
        }
      }
      var outcome = Outcome(result: result)
      if case .success = result { outcome.changes = statements.changes }
      return outcome
    } catch {
      throw RowError(RelationFailure.store(error), isSignedIn: isSignedIn)
    }
  }

  /// What a call is answered with. Rows are filtered, ordered and cut as those of a table.
  private static func answer(
    _ routine: PreparedRoutine, _ end: RoutineEnd, _ request: RelationRequest, _ statements: RowStatements<Store>
  ) throws(RowError) -> RelationResult {
    guard let table = routine.table else { return try routine.result(end) }
    var rows = end.added
    if case .rows(let columns, _, isOne: true) = routine.routine.result {
      if case .record(let row)? = end.result { rows = [row] }
      rows = [rows.first ?? columns.map { _ in .null }]
    }
    var result = try RelationRun(statements.schema, request, table, statements.context).read(statements.store, rows)
    if case .rows(_, _, isOne: true) = routine.routine.result { result.isOneRow = true }
    return result
  }

  private static func result(
    _ answer: FunctionAnswers.Answer, _ request: RelationRequest
  ) throws(RowError) -> RelationResult {
    var result = RelationResult()
    switch answer {
    case .error(let error): throw error
    case .value(var json):
      if request.isSingle, let rows = json.array {
        guard rows.count == 1 else { throw .notOne(rows.count) }
        json = rows[0]
      }
      result.value = Array(json.text().utf8)
    }
    return result
  }
}

/// A function that `rpc` can call.
package struct PreparedRoutine: Sendable {
  /// What it does.
  let routine: TypedRoutine
  /// The values of the last parameters where none are given.
  let defaults: [TypedExpression]
  /// A table with the columns of the rows that it returns; nil if it returns values or nothing.
  private(set) var table: PreparedTable?

  /// Prepares a function of a catalogue.
  init(
    _ function: CatalogueFunction, _ body: RoutineBody, in catalogue: Catalogue, _ tables: [ObjectName: PreparedTable]
  ) throws(ExpressionProblem) {
    routine = try catalogue.routine(function, body)
    defaults = try function.typedDefaults(catalogue.names)
    guard case .rows(let columns, let origin, _) = routine.result else { return }
    let own = columns.map { CatalogueColumn($0.name, $0.type) }
    var table = try PreparedTable(CatalogueTable(ObjectName("rpc", function.name.name), own), in: catalogue)
    if let origin, let known = tables[origin] { (table.parents, table.children) = (known.parents, known.children) }
    self.table = table
  }

  /// The values of the parameters. Throws if one is missing, unknown, or not of its type.
  func values(of arguments: [JSON.Member], now: Int64) throws(RowError) -> [Datum] {
    let parameters = routine.variables.prefix(routine.parameterCount)
    func given(_ name: String) -> JSON? { arguments.last { $0.key.utf8.elementsEqual(name.utf8) }?.value }
    let isKnown = arguments.allSatisfy { argument in
      parameters.contains { $0.name.utf8.elementsEqual(argument.key.utf8) }
    }
    var values: [Datum] = []
    for (place, parameter) in parameters.enumerated() {
      let number = place - (parameters.count - defaults.count)
      do throws(SQLFailure) {
        if let json = given(parameter.name) {
          values.append(try parameter.type.datum(json, now: now))
        } else if number >= 0 {
          values.append(try defaults[number].value(EvaluationContext(now: now, randomUUID: { UUID(high: 0, low: 0) })))
        }
      } catch {
        throw RowError(error)
      }
    }
    guard isKnown, values.count == parameters.count else {
      throw .unknownFunction(routine.name.name, arguments.map(\.key), nearest: nil)
    }
    return values
  }

  /// What a call is answered with.
  func result(_ end: RoutineEnd) throws(RowError) -> RelationResult {
    var result = RelationResult()
    var bytes: [UInt8] = []
    switch (routine.result, end.result) {
    case (.value(let type), .value(let datum)?): type.append(datum ?? .null, toJSON: &bytes)
    case (.value(let type), nil):
      // That which a statement returns of its first row.
      guard let first = end.added.first?.first else { throw RowError(SQLFailure.noReturn) }
      type.append(first, toJSON: &bytes)
    case (.values(let type), _):
      bytes.append(UInt8(ascii: "["))
      for (place, row) in end.added.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        type.append(row.first ?? .null, toJSON: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    default: return result
    }
    result.value = bytes
    result.size = bytes.count
    return result
  }
}

extension RowError {
  /// A function of the schema is not carried out, and no fixed answer stands for the call.
  static func noAnswer(_ name: String) -> RowError {
    RowError(
      404, "PGRST202", "The function public.\(name) is not carried out, and has no fixed answer to this call",
      hint: "Name an answer in the file of --functions")
  }

  /// There is no such function, or it has other parameters.
  static func unknownFunction(_ name: String, _ arguments: [String], nearest: String?) -> RowError {
    let list =
      arguments.isEmpty ? "without parameters" : "with parameters \(arguments.sorted().joined(separator: ", "))"
    let call = arguments.isEmpty ? "public.\(name)" : "public.\(name)(\(arguments.sorted().joined(separator: ", ")))"
    return RowError(
      404, "PGRST202", "Could not find the function \(call) in the schema cache",
      details: "Searched for the function public.\(name) \(list), but no matches were found in the schema cache.",
      hint: nearest.map { "Perhaps you meant to call the function public.\($0)" })
  }
}

extension SQLFailure.Code {
  /// A function that is read from writes.
  static let readOnly = SQLFailure.Code(rawValue: "25006")
}
