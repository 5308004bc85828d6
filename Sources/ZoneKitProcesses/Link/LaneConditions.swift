/// What one direction of a link does to the data that passes.
package struct LaneConditions: Equatable, Sendable {
  /// The delay of the data, in milliseconds. The order is kept.
  package var delay: Int64 = 0
  /// Whether data is dropped while the connection stays open. The sender does not notice.
  package var isCut = false
  /// Whether data waits. Once the buffers are full, the sender waits too.
  package var isClogged = false

  /// Conditions that change nothing.
  package init() {}
}
