/// What one direction of a device's link does to what goes over it.
package struct LinkConditions: Hashable, Sendable {
  /// How long anything takes, in milliseconds; drawn evenly for each thing.
  package var delay: ClosedRange<Int64> = 5...40
  /// How many of a thousand things get lost.
  package var loss = 0
  /// How many of a thousand things arrive twice.
  package var duplication = 0
  /// Whether a later thing may arrive before an earlier one.
  package var isReordering = false
  /// Whether nothing gets through, and no side notices: one half of a partition.
  package var isCut = false
  /// Whether everything waits, in order, until the clog is gone.
  package var isClogged = false

  /// A link that loses, repeats and reorders nothing and takes 5 to 40 ms.
  package init() {}
}
