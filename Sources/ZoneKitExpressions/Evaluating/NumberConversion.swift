import ZoneKitRelations

/// Conversions between types of numbers.
enum NumberConversion {
  /// A number of one type as one of another. Throws where it is out of the other's range.
  static func number(_ datum: Datum, _ own: DatumType, _ type: DatumType) throws(SQLFailure) -> Datum {
    switch (datum, type) {
    case (.integer(let number), .smallint), (.integer(let number), .integer), (.integer(let number), .bigint):
      return .integer(try inRange(number, type))
    case (.integer(let number), .numeric): return .numeric(Numeric(number))
    case (.integer(let number), .real): return .double(Double(Float(number)))
    case (.integer(let number), _): return .double(Double(number))
    case (.numeric, .numeric): return datum
    case (.numeric(let number), .real), (.numeric(let number), .doublePrecision): return try double(number, type)
    case (.numeric(let number), _): return .integer(try integer(number, type))
    case (.double(let number), .numeric): return .numeric(try numeric(number, isSingle: own == .real))
    case (.double(let number), .real): return .double(try single(number))
    case (.double, .doublePrecision): return datum
    case (.double(let number), _):
      guard let whole = Int64(exactly: number.rounded(.toNearestOrEven)) else { throw outOfRange(type) }
      return .integer(try inRange(whole, type))
    default: return datum
    }
  }

  /// The integer, if the type has it.
  static func inRange(_ number: Int64, _ type: DatumType) throws(SQLFailure) -> Int64 {
    let fits =
      switch type {
      case .smallint: Int16(exactly: number) != nil
      case .integer: Int32(exactly: number) != nil
      default: true
      }
    guard fits else { throw outOfRange(type) }
    return number
  }

  /// A number that a type does not have.
  static func outOfRange(_ type: DatumType) -> SQLFailure {
    SQLFailure(.numberOutOfRange, "\(type.name) out of range")
  }

  private static func integer(_ number: Numeric, _ type: DatumType) throws(SQLFailure) -> Int64 {
    guard number.isFinite else {
      let word = number == .nan ? "NaN" : "infinity"
      throw SQLFailure(.notSupported, "cannot convert \(word) to \(type.name)")
    }
    guard let whole = Int64(number.rounded(toScale: 0).text) else { throw outOfRange(type) }
    return try inRange(whole, type)
  }

  private static func double(_ number: Numeric, _ type: DatumType) throws(SQLFailure) -> Datum {
    try type.datum(number.text, now: 0)
  }

  private static func single(_ number: Double) throws(SQLFailure) -> Double {
    let single = Double(Float(number))
    if single.isInfinite, number.isFinite { throw SQLFailure(.numberOutOfRange, "value out of range: overflow") }
    if single == 0, number != 0 { throw SQLFailure(.numberOutOfRange, "value out of range: underflow") }
    return single
  }

  /// PostgreSQL keeps 15 digits of a number of 64 bits, and 6 of one of 32 bits.
  private static func numeric(_ number: Double, isSingle: Bool) throws(SQLFailure) -> Numeric {
    let type = isSingle ? DatumType.real : .doublePrecision
    guard let exact = Numeric(type.text(of: .double(number))) else { throw outOfRange(.numeric(nil)) }
    guard exact.isFinite, !exact.isZero else { return exact.isFinite ? .zero : exact }
    let magnitude = exact < .zero ? exact.negated : exact
    var exponent = 0
    if magnitude.truncated(toScale: 0).isZero {
      let fraction = magnitude.text.utf8.dropFirst(2)
      exponent = -fraction.prefix { $0 == UInt8(ascii: "0") }.count
    } else {
      exponent = magnitude.truncated(toScale: 0).text.utf8.count
    }
    return exact.rounded(toScale: (isSingle ? 6 : 15) - exponent)
      .rounded(toScale: min(exact.scale, max(0, (isSingle ? 6 : 15) - exponent)))
  }
}
