/// The value of a metric. Both kinds are written exactly.
package enum MetricValue: Hashable, Sendable {
  /// A number without a fraction.
  case integer(Int64)
  /// A duration in nanoseconds, which is written in seconds.
  case nanoseconds(Int64)

  /// A number that is never negative; one beyond the largest `Int64` counts as that.
  package static func count(_ number: some BinaryInteger) -> MetricValue { .integer(Int64(clamping: number)) }

  /// The value in the text format.
  package var text: String {
    switch self {
    case .integer(let number): return "\(number)"
    case .nanoseconds(let duration):
      let (seconds, rest) = duration.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
      let sign = duration < 0 ? "-" : ""
      guard rest > 0 else { return "\(sign)\(seconds)" }
      let digits = String("\(rest + 1_000_000_000)".dropFirst())
      return "\(sign)\(seconds)." + digits.reversed().drop { $0 == "0" }.reversed()
    }
  }
}
