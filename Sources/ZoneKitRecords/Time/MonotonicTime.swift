/// A moment by a clock that never jumps: milliseconds since some start that means nothing outside the process.
public struct MonotonicTime: Hashable, Comparable, Sendable {
  /// Milliseconds since the clock's start.
  public var milliseconds: Int64

  /// The moment that many milliseconds after the clock's start.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Whether the first moment is the earlier one.
  public static func < (first: MonotonicTime, second: MonotonicTime) -> Bool {
    first.milliseconds < second.milliseconds
  }

  /// The moment that many milliseconds later; stops at the ends of the scale instead of overflowing.
  public func advanced(byMilliseconds step: Int64) -> MonotonicTime {
    let (sum, overflow) = milliseconds.addingReportingOverflow(step)
    return MonotonicTime(milliseconds: overflow ? (step < 0 ? .min : .max) : sum)
  }
}
