public import ZoneKitRecords

/// The state of the feed of a zone.
public struct RowFeed: Hashable, Sendable {
  /// Which life of the zone it is. Positions of another one mean nothing.
  public var incarnation: UInt64
  /// The newest stamp.
  public var newest: WallTime
  /// The stamp up to which deletions were forgotten; zero if none were.
  public var horizon: WallTime

  /// A feed in that state.
  public init(incarnation: UInt64, newest: WallTime, horizon: WallTime) {
    self.incarnation = incarnation
    self.newest = newest
    self.horizon = horizon
  }
}
