import ZoneKitRecords

/// The totals of a log.
package struct ActionTotals: Hashable, Sendable {
  /// The number of actions by category.
  package var counts = PerCategory<Int>()
  /// The number of actions.
  package var count: Int { Category.allCases.reduce(0) { $0 + (counts[$1] ?? 0) } }
  /// The number of running actions.
  package var running = 0
  /// The total duration of ended sleeps, in milliseconds.
  package var sleep: Int64 = 0
  /// The total volume of bottles, in millilitres.
  package var bottleVolume: Int64 = 0

  /// The totals of the actions whose start is in the range; of all if there is none.
  package init(of actions: some Sequence<BabyAction>, starting range: Range<WallTime>? = nil) {
    for action in actions where range?.contains(action.startDate) ?? true { add(action) }
  }

  private mutating func add(_ action: BabyAction) {
    counts[action.category] = (counts[action.category] ?? 0) + 1
    if action.isRunning { running += 1 }
    if action.category == .sleep { sleep = sleep.addingSaturated(action.duration ?? 0) }
    bottleVolume = bottleVolume.addingSaturated(action.bottleVolume ?? 0)
  }
}

extension Int64 {
  fileprivate func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
