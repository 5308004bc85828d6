/// A time of a wall clock: milliseconds since 1970-01-01T00:00:00Z. The clock may be wrong.
public struct WallTime: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970, negative before it.
  public var milliseconds: Int64

  /// The time that many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Whether the first time is the earlier one.
  public static func < (first: WallTime, second: WallTime) -> Bool { first.milliseconds < second.milliseconds }

  /// The time that many milliseconds later. Saturates instead of overflowing.
  public func advanced(byMilliseconds step: Int64) -> WallTime {
    let (sum, overflow) = milliseconds.addingReportingOverflow(step)
    return WallTime(milliseconds: overflow ? (step < 0 ? .min : .max) : sum)
  }
}
