import ZoneKitRecords

/// What a device knows of a zone's feed.
public struct ZoneState: Hashable, Sendable {
  /// The zone.
  public var zoneID: ZoneID
  /// Up to where the feed was read; nil for its beginning.
  public var token: ChangeToken?
  /// When the token was stored, by the device's wall clock.
  public var tokenAt: WallTime?
  /// Whether the database feed named the zone and its own feed was not read to the end since.
  public var isStale: Bool
  /// Counts the full fetches of the zone: when one ends, records with a smaller number were not met and are gone.
  public var sweep: Int64
  /// Whether a full fetch is under way.
  public var isSweeping: Bool

  /// A zone of which nothing was read yet.
  public init(
    zoneID: ZoneID, token: ChangeToken? = nil, tokenAt: WallTime? = nil, isStale: Bool = false, sweep: Int64 = 0,
    isSweeping: Bool = false
  ) {
    self.zoneID = zoneID
    self.token = token
    self.tokenAt = tokenAt
    self.isStale = isStale
    self.sweep = sweep
    self.isSweeping = isSweeping
  }

  /// Whether the zone's feed is to be read: there is news, or a full fetch came to its end and records that it did not meet
  /// were not looked up yet.
  var isToRead: Bool { isStale || (isSweeping && token != nil) }

  /// A zone whose feed is to be read from the beginning, which is a full fetch.
  static func unread(_ zoneID: ZoneID) -> ZoneState { ZoneState(zoneID: zoneID, sweep: 1, isSweeping: true) }
}
