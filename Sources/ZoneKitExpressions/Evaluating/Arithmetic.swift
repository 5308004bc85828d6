import ZoneKitRelations
import ZoneKitSchema

/// Computations with numbers and days.
enum Arithmetic {
  /// The result of an operator whose left side has that type.
  static func value(
    _ first: Datum, _ known: SQLOperator, _ second: Datum, _ type: DatumType
  ) throws(SQLFailure) -> Datum {
    switch (first, second) {
    case (.integer(let own), .integer(let other)): return .integer(try integer(own, known, other, type))
    case (.numeric(let own), .numeric(let other)): return .numeric(try numeric(own, known, other))
    case (.double(let own), .double(let other)):
      return .double(try type == .real ? single(own, known, other) : double(own, known, other))
    case (.date(let day), .integer(let number)):
      return .date(try Calendar.moved(day: day, by: known == .minus ? -number : number))
    case (.integer(let number), .date(let day)): return .date(try Calendar.moved(day: day, by: number))
    case (.date(let own), .date(let other)):
      guard Calendar.isFinite(own), Calendar.isFinite(other) else {
        throw SQLFailure(.timeOutOfRange, "cannot subtract infinite dates")
      }
      return .integer(own - other)
    case (.date(let day), .time(let time)), (.time(let time), .date(let day)):
      let start = try Calendar.time(ofDay: day)
      return .timestamp(Calendar.isFinite(start) ? start + time : start)
    default: return .null
    }
  }

  /// The number with the other sign.
  static func negated(_ datum: Datum, _ type: DatumType) throws(SQLFailure) -> Datum {
    switch datum {
    case .integer(let number): .integer(try integer(0, .minus, number, type))
    case .numeric(let number): .numeric(number.negated)
    case .double(let number): .double(-number)
    default: .null
    }
  }

  private static func integer(
    _ own: Int64, _ known: SQLOperator, _ other: Int64, _ type: DatumType
  ) throws(SQLFailure) -> Int64 {
    let result: (partialValue: Int64, overflow: Bool)
    switch known {
    case .plus: result = own.addingReportingOverflow(other)
    case .minus: result = own.subtractingReportingOverflow(other)
    case .times: result = own.multipliedReportingOverflow(by: other)
    case .divided, .modulo:
      if other == 0 { throw SQLFailure(.divisionByZero, "division by zero") }
      if known == .modulo { return other == -1 ? 0 : own % other }
      result = own.dividedReportingOverflow(by: other)
    default: return 0
    }
    if result.overflow { throw NumberConversion.outOfRange(type.unlimited) }
    return try NumberConversion.inRange(result.partialValue, type)
  }

  private static func numeric(
    _ own: Numeric, _ known: SQLOperator, _ other: Numeric
  ) throws(SQLFailure) -> Numeric {
    switch known {
    case .plus: own + other
    case .minus: own - other
    case .times: own * other
    case .divided: try own.divided(by: other)
    default: try own.remainder(of: other)
    }
  }

  private static func double(_ own: Double, _ known: SQLOperator, _ other: Double) throws(SQLFailure) -> Double {
    let result: Double
    switch known {
    case .plus: result = own + other
    case .minus: result = own - other
    case .times: result = own * other
    default:
      if other == 0, !own.isNaN { throw SQLFailure(.divisionByZero, "division by zero") }
      result = own / other
    }
    return try checked(result, own, known, other)
  }

  private static func single(_ own: Double, _ known: SQLOperator, _ other: Double) throws(SQLFailure) -> Double {
    if known == .divided, other == 0, !own.isNaN { throw SQLFailure(.divisionByZero, "division by zero") }
    let (first, second) = (Float(own), Float(other))
    let result =
      switch known {
      case .plus: first + second
      case .minus: first - second
      case .times: first * second
      default: first / second
      }
    return try checked(Double(result), own, known, other)
  }

  /// A result that is neither too large nor too small for its type.
  private static func checked(
    _ result: Double, _ own: Double, _ known: SQLOperator, _ other: Double
  ) throws(SQLFailure) -> Double {
    if result.isInfinite, !own.isInfinite, known == .divided || !other.isInfinite {
      throw SQLFailure(.numberOutOfRange, "value out of range: overflow")
    }
    let isUnderflow =
      switch known {
      case .times: result == 0 && own != 0 && other != 0
      case .divided: result == 0 && own != 0 && !other.isInfinite
      default: false
      }
    if isUnderflow { throw SQLFailure(.numberOutOfRange, "value out of range: underflow") }
    return result
  }
}
