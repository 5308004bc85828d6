import Testing
import ZoneKitMetrics

@Suite struct `a histogram of durations` {
  @Test func `counts a duration in the bucket of its bound, and one nanosecond more in the next`() {
    var histogram = DurationHistogram()
    histogram.record(1_000_000)
    histogram.record(1_000_001)
    let index = DurationHistogram.bounds.firstIndex(of: 1_000_000)!
    #expect(histogram.cumulative[index - 1] == 0)
    #expect(histogram.cumulative[index] == 1)
    #expect(histogram.cumulative[index + 1] == 2)
    #expect(histogram.sum == 2_000_001)
  }

  @Test func `counts what is longer than every bound in the last bucket only`() {
    var histogram = DurationHistogram()
    histogram.record(10_000_000_001)
    #expect(histogram.cumulative.dropLast().allSatisfy { $0 == 0 })
    #expect(histogram.cumulative.last == 1)
    #expect(histogram.count == 1)
  }

  @Test func `takes a negative duration for none`() {
    var histogram = DurationHistogram()
    histogram.record(-5)
    #expect(histogram.cumulative.first == 1)
    #expect(histogram.sum == 0)
  }
}
