extension Numeric {
  /// The number with that many digits behind the point, rounded half away from zero. With a negative scale, digits before
  /// the point are rounded.
  package func rounded(toScale wanted: Int) -> Numeric {
    guard kind == .finite, wanted < scale else {
      guard kind == .finite else { return self }
      return Numeric(isNegative: isNegative, digits: digits(atScale: wanted), scale: wanted)
    }
    let cut = scale - wanted
    guard cut <= digits.count else { return Numeric(isNegative: false, digits: [], scale: max(0, wanted)) }
    var kept = Array(digits.dropLast(cut))
    if digits[digits.count - cut] >= 5 { kept = Self.successor(of: kept) }
    if wanted < 0, !kept.isEmpty { kept += Array(repeating: 0, count: -wanted) }
    return Numeric(isNegative: isNegative, digits: kept, scale: max(0, wanted))
  }

  /// The number with at most that many digits behind the point; the others are cut.
  package func truncated(toScale wanted: Int) -> Numeric {
    guard kind == .finite, wanted < scale else { return rounded(toScale: wanted) }
    let zeros = wanted < 0 ? Array(repeating: UInt8(0), count: -wanted) : []
    let kept = digits.dropLast(min(scale - wanted, digits.count))
    return Numeric(isNegative: isNegative, digits: kept.isEmpty ? [] : kept + zeros, scale: max(0, wanted))
  }

  private static func successor(of digits: [UInt8]) -> [UInt8] {
    var digits = digits
    var place = digits.count - 1
    while place >= 0, digits[place] == 9 {
      digits[place] = 0
      place -= 1
    }
    guard place >= 0 else { return [1] + digits }
    digits[place] += 1
    return digits
  }

  /// The sum.
  package static func + (first: Numeric, second: Numeric) -> Numeric {
    guard first.kind == .finite, second.kind == .finite else {
      if first.kind == .nan || second.kind == .nan { return .nan }
      guard first.kind != .finite else { return second }
      return second.kind == .finite || second.kind == first.kind ? first : .nan
    }
    let scale = max(first.scale, second.scale)
    let (own, other) = (first.digits(atScale: scale), second.digits(atScale: scale))
    guard first.isNegative != second.isNegative else {
      return Numeric(isNegative: first.isNegative, digits: sum(own, other), scale: scale)
    }
    let isOwnGreater = own.count == other.count ? !own.lexicographicallyPrecedes(other) : own.count > other.count
    return isOwnGreater
      ? Numeric(isNegative: first.isNegative, digits: difference(own, other), scale: scale)
      : Numeric(isNegative: second.isNegative, digits: difference(other, own), scale: scale)
  }

  /// The difference.
  package static func - (first: Numeric, second: Numeric) -> Numeric { first + second.negated }

  /// The product, with the digits of both behind the point.
  package static func * (first: Numeric, second: Numeric) -> Numeric {
    guard first.kind == .finite, second.kind == .finite else { return infiniteProduct(first, second) }
    var product = [Int](repeating: 0, count: first.digits.count + second.digits.count)
    for (place, digit) in first.digits.enumerated() where digit > 0 {
      for (other, factor) in second.digits.enumerated() { product[place + other + 1] += Int(digit) * Int(factor) }
    }
    for place in product.indices.reversed().dropLast() {
      product[place - 1] += product[place] / 10
      product[place] %= 10
    }
    let result = Numeric(
      isNegative: first.isNegative != second.isNegative, digits: product.map { UInt8($0) },
      scale: first.scale + second.scale)
    return result.scale > scaleLimit ? result.rounded(toScale: scaleLimit) : result
  }

  private static func infiniteProduct(_ first: Numeric, _ second: Numeric) -> Numeric {
    guard first.kind != .nan, second.kind != .nan, !first.isZero, !second.isZero else { return .nan }
    return first.isNegative == second.isNegative ? .infinity : .negativeInfinity
  }

  /// The quotient with as many digits as PostgreSQL computes: at least 16 that count, and those of both numbers. Throws where
  /// the divisor is zero.
  package func divided(by divisor: Numeric) throws(SQLFailure) -> Numeric {
    if kind == .nan || divisor.kind == .nan { return .nan }
    if divisor.isZero { throw SQLFailure(.divisionByZero, "division by zero") }
    guard divisor.isFinite else { return isFinite ? .zero : .nan }
    guard isFinite else { return isNegative == divisor.isNegative ? .infinity : .negativeInfinity }
    let scale = quotientScale(divisor)
    // One digit more, to round.
    let shift = scale + 1 + divisor.scale - self.scale
    let dividend = shift >= 0 ? digits + Array(repeating: 0, count: shift) : Array(digits.dropLast(-shift))
    let (quotient, _) = Self.quotient(of: dividend, by: divisor.digits)
    return Numeric(isNegative: isNegative != divisor.isNegative, digits: quotient, scale: scale + 1)
      .rounded(toScale: scale)
  }

  /// The remainder of a division whose quotient is cut to an integer. Throws where the divisor is zero.
  package func remainder(of divisor: Numeric) throws(SQLFailure) -> Numeric {
    if kind == .nan || divisor.kind == .nan { return .nan }
    if divisor.isZero { throw SQLFailure(.divisionByZero, "division by zero") }
    guard isFinite else { return .nan }
    guard divisor.isFinite else { return self }
    let scale = max(self.scale, divisor.scale)
    let (_, rest) = Self.quotient(of: digits(atScale: scale), by: divisor.digits(atScale: scale))
    return Numeric(isNegative: isNegative, digits: rest, scale: scale)
  }

  /// PostgreSQL works with groups of four digits; the estimate of the quotient's size counts those.
  private func quotientScale(_ divisor: Numeric) -> Int {
    let (own, other) = (leadingGroup, divisor.leadingGroup)
    let weight = own.weight - other.weight - (own.group <= other.group ? 1 : 0)
    return min(1_000, max(16 - 4 * weight, scale, divisor.scale, 0))
  }

  /// The first group of four digits that is not zero, and its place; zero at the place of the units for zero.
  private var leadingGroup: (weight: Int, group: Int) {
    guard !digits.isEmpty else { return (0, 0) }
    let top = digits.count - scale - 1
    let weight = top >= 0 ? top / 4 : -((3 - top) / 4)
    let count = top - 4 * weight + 1
    let leading = digits.prefix(count) + Array(repeating: 0, count: max(0, count - digits.count))
    return (weight, leading.reduce(0) { 10 * $0 + Int($1) })
  }

  private static func sum(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
    let count = max(first.count, second.count)
    let (own, other) = (padded(first, to: count), padded(second, to: count))
    var result = [UInt8](repeating: 0, count: count + 1)
    for place in (0..<count).reversed() {
      let sum = own[place] + other[place] + result[place + 1]
      result[place + 1] = sum % 10
      result[place] = sum / 10
    }
    return result
  }

  /// The difference of two numbers, of which the first is not smaller.
  private static func difference(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
    var result = first
    let other = padded(second, to: first.count)
    for place in result.indices.reversed() {
      if result[place] < other[place] {
        result[place] += 10
        var borrowed = place - 1
        while result[borrowed] == 0 {
          result[borrowed] = 9
          borrowed -= 1
        }
        result[borrowed] -= 1
      }
      result[place] -= other[place]
    }
    return result
  }

  private static func padded(_ digits: [UInt8], to count: Int) -> [UInt8] {
    Array(repeating: 0, count: count - digits.count) + digits
  }

  /// Divides by a divisor without zeros at its beginning, digit by digit.
  private static func quotient(of dividend: [UInt8], by divisor: [UInt8]) -> (quotient: [UInt8], rest: [UInt8]) {
    let divisor = Array(divisor.drop { $0 == 0 })
    var quotient: [UInt8] = []
    var rest: [UInt8] = []
    for digit in dividend {
      if !rest.isEmpty || digit > 0 { rest.append(digit) }
      var times: UInt8 = 0
      while rest.count > divisor.count || rest.count == divisor.count && !rest.lexicographicallyPrecedes(divisor) {
        rest = Array(difference(rest, divisor).drop { $0 == 0 })
        times += 1
      }
      quotient.append(times)
    }
    return (quotient, rest)
  }
}
