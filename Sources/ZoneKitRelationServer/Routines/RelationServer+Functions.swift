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
          return routine.result(end)
        }
      }
      var outcome = Outcome(result: result.mapError { RowError($0, isSignedIn: isSignedIn) })
      if case .success = result { outcome.changes = statements.changes }
      return outcome
    } catch {
      throw RowError(RelationFailure.store(error), isSignedIn: isSignedIn)
    }
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

  /// Prepares a function of a catalogue.
  init(
    _ function: CatalogueFunction, _ body: RoutineBody, in catalogue: Catalogue
  ) throws(ExpressionProblem) {
    routine = try catalogue.routine(function, body)
    defaults = try function.typedDefaults(catalogue.names)
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
  func result(_ end: RoutineEnd) -> RelationResult {
    var result = RelationResult()
    guard let type = routine.result, case .value(let datum)? = end.result else { return result }
    var bytes: [UInt8] = []
    type.append(datum ?? .null, toJSON: &bytes)
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
