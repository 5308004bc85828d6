/// How long to leave the cloud alone after failures: twice as long each time, with jitter, up to a limit.
struct Backoff: Hashable, Sendable {
  /// The wait after the first failure, in milliseconds.
  let first: Int64
  /// The longest wait, in milliseconds.
  let limit: Int64
  /// How many failures came in a row.
  private(set) var failures = 0

  init(first: Int64, limit: Int64) {
    self.first = max(first, 0)
    self.limit = max(limit, 0)
  }

  /// Counts a failure and draws the wait after it, in milliseconds: between half of the full wait and all of it, so that
  /// devices that failed together do not come back together.
  mutating func next(using generator: inout some RandomNumberGenerator) -> Int64 {
    let full = wait(afterFailures: failures)
    failures += 1
    return full - Int64.random(in: 0...(full / 2), using: &generator)
  }

  /// Forgets the failures: a sync went well.
  mutating func reset() { failures = 0 }

  private func wait(afterFailures count: Int) -> Int64 {
    let (product, overflow) = first.multipliedReportingOverflow(by: 1 << Int64(min(count, 40)))
    return overflow ? limit : min(product, limit)
  }
}
