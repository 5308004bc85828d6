import ZoneKitRecords

/// The state of the feed of a zone.
package struct RowFeed: Hashable, Sendable {
  /// An earlier life of a zone whose rows were not lost. Clients that know another one offer what they have.
  package struct Life: Hashable, Sendable {
    /// Which life it was.
    package var incarnation: UInt64
    /// How its rows ended, if somebody meant them to go; nil if they are still there.
    package var ending: ZoneEnding?

    /// A life that ended so.
    package init(_ incarnation: UInt64, _ ending: ZoneEnding? = nil) {
      self.incarnation = incarnation
      self.ending = ending
    }
  }

  /// Which life of the zone it is. Positions of another one mean nothing.
  package var incarnation: UInt64
  /// The newest stamp.
  package var newest: WallTime
  /// The stamp up to which deletions were forgotten; zero if none were.
  package var horizon: WallTime
  /// The earlier lives of the zone whose rows were not lost.
  package var earlier: [Life]

  /// A feed in that state.
  package init(incarnation: UInt64, newest: WallTime, horizon: WallTime, earlier: [Life] = []) {
    self.incarnation = incarnation
    self.newest = newest
    self.horizon = horizon
    self.earlier = earlier
  }
}
