import ZoneKitRelations
import ZoneKitSchema

/// Functions of numbers.
enum NumberFunctions {
  /// The result for values without null.
  static func value(_ function: TypedFunction, _ values: [Datum], _ type: DatumType) throws(SQLFailure) -> Datum {
    switch values[0] {
    case .integer(let number):
      if function == .mod { return try Arithmetic.value(values[0], .modulo, values[1], type) }
      return number < 0 ? try Arithmetic.negated(values[0], type) : values[0]
    case .double(let number): return .double(double(function, number))
    case .numeric(let number):
      if function == .mod { return try Arithmetic.value(values[0], .modulo, values[1], type) }
      return .numeric(numeric(function, number, scale(values)))
    default: return .null
    }
  }

  /// PostgreSQL's limit of the digits of a result.
  private static let scaleLimit: Int64 = 2_000

  private static func scale(_ values: [Datum]) -> Int {
    guard values.count > 1, case .integer(let number) = values[1] else { return 0 }
    return Int(min(scaleLimit, max(-scaleLimit, number)))
  }

  private static func double(_ function: TypedFunction, _ number: Double) -> Double {
    switch function {
    case .abs: number.magnitude
    case .round: number.rounded(.toNearestOrEven)
    case .ceiling: number.rounded(.up)
    case .floor: number.rounded(.down)
    case .truncated: number.rounded(.towardZero)
    default: number > 0 ? 1 : number < 0 ? -1 : 0
    }
  }

  private static func numeric(_ function: TypedFunction, _ number: Numeric, _ scale: Int) -> Numeric {
    if number == .nan { return number }
    let isBelowZero = number < .zero
    switch function {
    case .abs: return isBelowZero ? number.negated : number
    case .round: return number.rounded(toScale: scale)
    case .truncated: return number.truncated(toScale: scale)
    case .sign: return Numeric(number == .zero ? 0 : isBelowZero ? -1 : 1)
    default:
      let whole = number.truncated(toScale: 0)
      if whole == number || isBelowZero == (function == .ceiling) { return whole }
      return whole + Numeric(function == .ceiling ? 1 : -1)
    }
  }
}
