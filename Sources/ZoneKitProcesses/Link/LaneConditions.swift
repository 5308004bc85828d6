/// What one direction of a link does to what passes over it.
package struct LaneConditions: Equatable, Sendable {
  /// How long bytes are under way, in milliseconds; none overtakes another.
  package var delay: Int64 = 0
  /// Whether what is sent is dropped while the connection stays open: the sender does not notice.
  package var isCut = false
  /// Whether what is sent waits, and the sender with it once the buffers are full.
  package var isClogged = false

  /// A direction that changes nothing.
  package init() {}
}
