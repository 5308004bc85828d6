/// A time of a clock that never jumps: milliseconds since an arbitrary start that is meaningful only within the
/// process.
public struct MonotonicTime: Hashable, Comparable, Sendable {
  /// Milliseconds since the clock's start.
  public var milliseconds: Int64

  /// The time that many milliseconds after the clock's start.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Whether the first time is the earlier one.
  public static func < (first: MonotonicTime, second: MonotonicTime) -> Bool {
    first.milliseconds < second.milliseconds
  }

  /// The time that many milliseconds later. Saturates instead of overflowing.
  public func advanced(byMilliseconds step: Int64) -> MonotonicTime {
    let (sum, overflow) = milliseconds.addingReportingOverflow(step)
    return MonotonicTime(milliseconds: overflow ? (step < 0 ? .min : .max) : sum)
  }
}
