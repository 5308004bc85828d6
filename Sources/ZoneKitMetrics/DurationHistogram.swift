/// Counts durations by their size, in the buckets of a Prometheus histogram. A duration costs two additions and a short
/// search, and never memory.
package struct DurationHistogram: Hashable, Sendable {
  /// The upper bounds of the buckets, in nanoseconds, ascending: from a tenth of a millisecond to ten seconds.
  package static let bounds: [Int64] = [
    100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
    250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
  ]

  /// The number of durations in each bucket alone; the last bucket has no bound.
  private var buckets = [UInt64](repeating: 0, count: bounds.count + 1)
  /// The sum of all durations, in nanoseconds.
  package private(set) var sum: Int64 = 0

  /// A histogram without durations.
  package init() {}

  /// Counts a duration in nanoseconds. A bound belongs to its bucket; a negative duration counts as 0.
  package mutating func record(_ nanoseconds: Int64) {
    let duration = max(0, nanoseconds)
    var bucket = 0
    while bucket < Self.bounds.count, duration > Self.bounds[bucket] { bucket += 1 }
    buckets[bucket] += 1
    sum += duration
  }

  /// The number of durations.
  package var count: UInt64 { buckets.reduce(0, +) }

  /// The number of durations up to each bound, and then the number of all.
  package var cumulative: [UInt64] {
    var total: UInt64 = 0
    return buckets.map { count in
      total += count
      return total
    }
  }
}
