/// An amount of money in whole cents. Rules compute in cents, because amounts on the wire are floating-point numbers, whose
/// sums depend on their order.
package struct Cents: Hashable, Comparable, Sendable {
  /// The number of cents.
  package var count: Int64

  /// That many cents.
  package init(_ count: Int64) { self.count = count }

  /// The largest amount that a user may enter: 1,000,000,000.00.
  package static let largest = Cents(100_000_000_000)

  /// The cents nearest to an amount, to the even number if two are equally near. An amount beyond the range of 64 bits
  /// becomes the nearest end of that range.
  package init(nearest amount: Double) {
    let cents = (amount * 100).rounded(.toNearestOrEven)
    count = Int64(exactly: cents) ?? (cents < 0 ? .min : cents > 0 ? .max : 0)
  }

  /// The amount on the wire.
  package var amount: Double { Double(count) / 100 }

  /// The amount with two decimals, such as `84.50` or `-3.00`.
  package var text: String {
    let (whole, rest) = count.magnitude.quotientAndRemainder(dividingBy: 100)
    return "\(count < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// The part `share` of `whole` of this amount, in the nearest cents, to the even number if two are equally near. Zero
  /// if `whole` is zero.
  package func part(_ share: Cents, of whole: Cents) -> Cents {
    guard whole.count != 0 else { return Cents(0) }
    let product = Int128(count) * Int128(share.count)
    return Cents(Int64(clamping: product.dividedToNearestEven(by: Int128(whole.count))))
  }

  /// Orders amounts.
  package static func < (first: Cents, second: Cents) -> Bool { first.count < second.count }

  /// The sum, at most the end of the range of 64 bits.
  package static func + (first: Cents, second: Cents) -> Cents {
    Cents(Int64(clamping: Int128(first.count) + Int128(second.count)))
  }

  /// The difference, at most the end of the range of 64 bits.
  package static func - (first: Cents, second: Cents) -> Cents {
    Cents(Int64(clamping: Int128(first.count) - Int128(second.count)))
  }

  /// The amount without its sign.
  package var magnitude: Cents { count < 0 ? Cents(0) - self : self }
}

extension Int128 {
  /// The integer nearest to the quotient, the even one if two are equally near.
  fileprivate func dividedToNearestEven(by divisor: Int128) -> Int128 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    let twice = remainder.magnitude * 2
    let isUp = twice > divisor.magnitude || twice == divisor.magnitude && quotient % 2 != 0
    guard isUp else { return quotient }
    return (remainder < 0) == (divisor < 0) ? quotient + 1 : quotient - 1
  }
}
