import ZoneKitCSQLite
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations

/// A part of a search that is evaluated outside of SQLite.
struct ExpressionCall {
  let expression: TypedExpression
  /// The columns that the function gets, in their order.
  let places: [ColumnPlace]
  /// How they are kept.
  let forms: [DatumForm]
  /// The numbers of columns of the sources of each query around the part, the outermost first.
  let shape: [[Int]]

  /// The value for those columns.
  func value(_ data: [Datum], _ context: EvaluationContext) throws(SQLFailure) -> Datum {
    var levels = shape.map { $0.map { Array(repeating: Datum.null, count: $0) } }
    for (place, datum) in zip(places, data) {
      levels[levels.count - 1 - place.level][place.source][place.column] = datum
    }
    return try expression.value(inLevels: levels, context)
  }
}

/// The function `zonekit_value` of a connection, which evaluates parts of searches.
final class ExpressionCalls {
  /// The parts of the search that runs.
  var calls: [ExpressionCall] = []
  /// Who searches, and when.
  var context: EvaluationContext?
  /// Why a part could not be evaluated.
  private(set) var failure: SQLFailure?

  /// Begins a search with those parts.
  func begin(_ calls: [ExpressionCall], _ context: EvaluationContext) {
    (self.calls, self.context, failure) = (calls, context, nil)
  }

  /// Adds the function to a connection, which keeps it. Returns the result code.
  func add(to handle: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      handle, "zonekit_value", -1, SQLITE_UTF8, Unmanaged.passRetained(self).toOpaque(),
      { context, count, arguments in
        guard let context, let arguments, let own = sqlite3_user_data(context) else { return }
        Unmanaged<ExpressionCalls>.fromOpaque(own).takeUnretainedValue().run(
          UnsafeBufferPointer(start: arguments, count: Int(count)), for: context)
      }, nil, nil,
      { own in
        guard let own else { return }
        Unmanaged<ExpressionCalls>.fromOpaque(own).release()
      })
  }

  private func run(_ arguments: UnsafeBufferPointer<OpaquePointer?>, for result: OpaquePointer) {
    guard let first = arguments.first, let context else { return }
    let call = calls[Int(sqlite3_value_int64(first))]
    do {
      var data: [Datum] = []
      for (form, argument) in zip(call.forms, arguments.dropFirst()) {
        data.append(try argument.map { try form.datum(ArgumentValue(value: $0)) } ?? .null)
      }
      Self.pass(DatumForm(type: call.expression.type).value(try call.value(data, context)), to: result)
    } catch let error as SQLFailure {
      failure = error
      sqlite3_result_error(result, error.message, -1)
    } catch {
      sqlite3_result_error(result, "\(error)", -1)
    }
  }

  private static func pass(_ value: Statement.Value, to result: OpaquePointer) {
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: sqlite3_result_null(result)
    case .integer(let number): sqlite3_result_int64(result, number)
    case .real(let number): sqlite3_result_double(result, number)
    case .text(let text):
      let bytes = Array(text.utf8)
      sqlite3_result_text64(result, text, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
    case .utf8(let bytes), .bytes(let bytes): sqlite3_result_blob(result, bytes, Int32(bytes.count), copied)
    }
  }
}
