import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
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
    /// One row.
    case record([Datum])
  }

  /// What it returns; nil if its steps ended without that.
  var result: Result?
  /// The rows that it has added to what it returns.
  var added: [[Datum]]
  /// The rows of a trigger, `new` first.
  var rows: [[Datum]]
}

/// What a function has while it is carried out.
struct RoutineFrame {
  /// The variables, the rows of a trigger, and the variables that are rows.
  var rows: [[Datum]]
  /// The rows that are added to what the function returns.
  var added: [[Datum]] = []
  /// The number of rows of the last statement.
  var rowCount: Int64 = 0
  /// Where the variables are that steps tell something.
  let toldPlace: Int
  /// The errors that are being handled, the outermost first.
  var errors: [SQLFailure] = []

  /// Gives a place a value.
  mutating func set(_ slot: TypedRoutine.Slot, _ value: Datum) {
    switch slot {
    case .variable(let place): rows[0][place] = value
    case .column(let source, let place): rows[source][place] = value
    }
  }

  /// Gives places the values of a row; nulls for nil.
  mutating func set(_ target: TypedRoutine.Target, _ values: [Datum]?) {
    switch target {
    case .slots(let slots): for (number, slot) in slots.enumerated() { set(slot, values?[number] ?? .null) }
    case .row(let source):
      let given = values ?? []
      rows[source] = given + [Datum](repeating: .null, count: max(0, rows[source].count - given.count))
    }
  }

  /// Keeps how many rows a statement has found or written.
  mutating func tell(_ count: Int) {
    rowCount = Int64(count)
    if toldPlace < rows[0].count { rows[0][toldPlace] = .boolean(count > 0) }
  }

  /// Tells the steps of a handler the error.
  mutating func tell(_ error: SQLFailure) {
    guard toldPlace + 2 < rows[0].count else { return }
    rows[0][toldPlace + 1] = .text(error.code.rawValue)
    rows[0][toldPlace + 2] = .text(error.message)
  }
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
    let records = routine.recordSizes.map { [Datum](repeating: .null, count: $0) }
    var frame = RoutineFrame(rows: [variables] + rows + records, toldPlace: routine.toldPlace)
    frame.tell(0)
    for initial in routine.initialValues { frame.rows[0][initial.place] = try value(initial.value, in: frame.rows) }
    var result: RoutineEnd.Result?
    switch try run(routine.steps, &frame) {
    case .ends(let end): result = end
    case .leaves(let label, _):
      let words = label.map { "there is no label \"\($0)\"" } ?? "EXIT cannot be used outside a loop"
      throw .refused(SQLFailure(.syntax, words))
    case .goesOn: break
    }
    return RoutineEnd(result: result, added: frame.added, rows: Array(frame.rows.dropFirst().prefix(rows.count)))
  }

  /// How deeply functions and the triggers of what they write may call each other.
  private static var routineDepthLimit: Int { 32 }
}
