public import ZoneKitRecords

/// The state of the feed of a zone.
public struct RowFeed: Hashable, Sendable {
  /// An earlier life of a zone whose rows were not lost. Clients that know another one offer what they have.
  public struct Life: Hashable, Sendable {
    /// Which life it was.
    public var incarnation: UInt64
    /// How its rows ended, if somebody meant them to go; nil if they are still there.
    public var ending: ZoneEnding?

    /// A life that ended so.
    public init(_ incarnation: UInt64, _ ending: ZoneEnding? = nil) {
      self.incarnation = incarnation
      self.ending = ending
    }
  }

  /// Which life of the zone it is. Positions of another one mean nothing.
  public var incarnation: UInt64
  /// The newest stamp.
  public var newest: WallTime
  /// The stamp up to which deletions were forgotten; zero if none were.
  public var horizon: WallTime
  /// The earlier lives of the zone whose rows were not lost.
  public var earlier: [Life]

  /// A feed in that state.
  public init(incarnation: UInt64, newest: WallTime, horizon: WallTime, earlier: [Life] = []) {
    self.incarnation = incarnation
    self.newest = newest
    self.horizon = horizon
    self.earlier = earlier
  }
}
