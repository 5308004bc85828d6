/// The conditions of one direction of a device's link.
package struct LinkConditions: Hashable, Sendable {
  /// The delay in milliseconds, drawn evenly for each message.
  package var delay: ClosedRange<Int64> = 5...40
  /// How many of 1,000 messages are lost.
  package var loss = 0
  /// How many of 1,000 messages arrive twice.
  package var duplication = 0
  /// Whether a later message may arrive before an earlier one.
  package var isReordering = false
  /// Whether all messages are lost and neither side notices, as in one direction of a partition.
  package var isCut = false
  /// Whether all messages wait, in order, until the link is no longer clogged.
  package var isClogged = false

  /// A link with a delay of 5 to 40 ms, without losses, repetitions and reordering.
  package init() {}
}
