/// What both clocks of a machine say at once: stamps are made from `wall`, deadlines from `monotonic`.
public struct Moment: Hashable, Sendable {
  /// The wall clock's reading.
  public var wall: WallTime
  /// The monotonic clock's reading.
  public var monotonic: MonotonicTime

  /// One reading of both clocks.
  public init(wall: WallTime, monotonic: MonotonicTime) {
    self.wall = wall
    self.monotonic = monotonic
  }
}
