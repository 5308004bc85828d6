import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSchema

/// Computes values as PostgreSQL does, part by part.
struct Evaluation {
  /// Who asks, when, and the rows of other tables.
  let context: EvaluationContext
  /// The rows of each query around the expression, the outermost first.
  var levels: [[[Datum]]]

  /// The value of an expression.
  func value(_ expression: TypedExpression) throws(SQLFailure) -> Datum {
    switch expression.kind {
    case .constant(let datum): return datum
    case .column(let place): return levels[levels.count - 1 - place.level][place.source][place.column]
    case .converted(let value, let isExplicit):
      return try Conversion.value(
        self.value(value), from: value.type, to: expression.type, isExplicit: isExplicit, now: context.now)
    case .negated(let value): return try Arithmetic.negated(self.value(value), expression.type)
    case .binary(let left, let known, let right):
      return try Operation(left.type, known, right.type).value(value(left), value(right))
    case .moved(let time, let interval): return try moved(value(time), interval)
    case .and(let parts): return try combined(parts, decisive: false)
    case .or(let parts): return try combined(parts, decisive: true)
    case .not(let value):
      guard case .boolean(let truth) = try self.value(value) else { return .null }
      return .boolean(!truth)
    case .test(let value, let test): return .boolean(Self.test(try self.value(value), test))
    case .quantified(let value, let known, let quantifier, let array):
      let first = try self.value(value)
      guard case .array(let elements) = try self.value(array) else { return .null }
      let operation = Operation(value.type, known, array.type.element ?? array.type)
      return try quantified(first, operation, quantifier, elements)
    case .call(let function, let arguments): return try call(function, arguments, expression.type)
    case .element(let array, let index):
      guard case .array(let elements) = try value(array), case .integer(let place) = try value(index),
        place >= 1, place <= Int64(elements.count)
      else { return .null }
      return elements[Int(place) - 1]
    case .array(let elements): return .array(try values(elements))
    case .choice(let all, let otherwise):
      for place in stride(from: 0, to: all.count, by: 2) where try value(all[place]) == .boolean(true) {
        return try value(all[place + 1])
      }
      return try value(otherwise)
    case .query(let query): return try scalar(query)
    case .arrayOfQuery(let query): return .array(try rows(query).map { $0.first ?? .null })
    case .exists(let query):
      // A count is always one row.
      if query.isCounting { return .boolean(true) }
      return .boolean(try !rows(query, limit: 1).isEmpty)
    case .quantifiedQuery(let value, let known, let quantifier, let query):
      let operation = Operation(value.type, known, query.results.first?.type ?? value.type)
      let first = try self.value(value)
      return try quantified(first, operation, quantifier, try rows(query).map { $0.first ?? .null })
    }
  }

  /// The values of several expressions.
  func values(_ expressions: [TypedExpression]) throws(SQLFailure) -> [Datum] {
    var values: [Datum] = []
    for expression in expressions { values.append(try value(expression)) }
    return values
  }

  /// The decisive value if a part has it; null if another part is null.
  private func combined(_ parts: [TypedExpression], decisive: Bool) throws(SQLFailure) -> Datum {
    var result = Datum.boolean(!decisive)
    for part in parts {
      switch try value(part) {
      case .boolean(decisive): return .boolean(decisive)
      case .boolean: break
      default: result = .null
      }
    }
    return result
  }

  private static func test(_ datum: Datum, _ test: SQLTest) -> Bool {
    switch test {
    case .isNull, .isUnknown: datum == .null
    case .isNotNull, .isNotUnknown: datum != .null
    case .isTrue: datum == .boolean(true)
    case .isNotTrue: datum != .boolean(true)
    case .isFalse: datum == .boolean(false)
    case .isNotFalse: datum != .boolean(false)
    }
  }

  private func quantified(
    _ first: Datum, _ operation: Operation, _ quantifier: SQLExpression.Quantifier, _ others: [Datum]
  ) throws(SQLFailure) -> Datum {
    let decisive = quantifier == .any
    var result = Datum.boolean(!decisive)
    for other in others {
      switch try operation.value(first, other) {
      case .boolean(decisive): return .boolean(decisive)
      case .boolean: break
      default: result = .null
      }
    }
    return result
  }

  private func moved(_ datum: Datum, _ interval: Interval) throws(SQLFailure) -> Datum {
    switch datum {
    case .timestamp(let time): return .timestamp(try Calendar.moved(time, interval))
    case .time(let time):
      let sum = time + interval.microseconds % Calendar.microsecondsPerDay
      return .time(sum - sum.flooredQuotient(by: Calendar.microsecondsPerDay) * Calendar.microsecondsPerDay)
    default: return .null
    }
  }

  // MARK: Queries

  private func scalar(_ query: TypedQuery) throws(SQLFailure) -> Datum {
    if query.isCounting { return .integer(Int64(try rows(query).count)) }
    let found = try rows(query, limit: 2)
    guard found.count < 2 else {
      throw SQLFailure(.severalRows, "more than one row returned by a subquery used as an expression")
    }
    return found.first?.first ?? .null
  }
}
