/// The time of both clocks of a machine: the wall clock for time stamps, the monotonic clock for deadlines.
public struct Moment: Hashable, Sendable {
  /// The time of the wall clock.
  public var wall: WallTime
  /// The time of the monotonic clock.
  public var monotonic: MonotonicTime

  /// A moment of both clocks.
  public init(wall: WallTime, monotonic: MonotonicTime) {
    self.wall = wall
    self.monotonic = monotonic
  }
}
