/// A moment by a wall clock: whole milliseconds since 1970-01-01T00:00:00Z, which a device's clock may have wrong.
public struct WallTime: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970, negative before it.
  public var milliseconds: Int64

  /// The moment that many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Whether the first moment is the earlier one.
  public static func < (first: WallTime, second: WallTime) -> Bool { first.milliseconds < second.milliseconds }

  /// The moment that many milliseconds later; stops at the ends of the scale instead of overflowing.
  public func advanced(byMilliseconds step: Int64) -> WallTime {
    let (sum, overflow) = milliseconds.addingReportingOverflow(step)
    return WallTime(milliseconds: overflow ? (step < 0 ? .min : .max) : sum)
  }
}
