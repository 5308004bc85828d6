/// The waiting time after failures. It doubles with each failure, with jitter, up to a limit.
package struct Backoff: Hashable, Sendable {
  /// The waiting time after the first failure, in milliseconds.
  package let first: Int64
  /// The longest waiting time, in milliseconds.
  package let limit: Int64
  /// The number of consecutive failures.
  package private(set) var failures = 0

  /// The waiting times between those limits, in milliseconds.
  package init(first: Int64, limit: Int64) {
    self.first = max(first, 0)
    self.limit = max(limit, 0)
  }

  /// Counts a failure and draws the waiting time after it, in milliseconds: between half of the full time and all of
  /// it, so that devices that failed at the same time do not all try again at the same time.
  package mutating func next(using generator: inout some RandomNumberGenerator) -> Int64 {
    let full = wait(afterFailures: failures)
    failures += 1
    return full - Int64.random(in: 0...(full / 2), using: &generator)
  }

  /// Resets the count after a successful sync.
  package mutating func reset() { failures = 0 }

  private func wait(afterFailures count: Int) -> Int64 {
    let (product, overflow) = first.multipliedReportingOverflow(by: 1 << Int64(min(count, 40)))
    return overflow ? limit : min(product, limit)
  }
}
