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
  public var fullFetches: Int64
  /// Whether a full fetch is under way.
  public var isInFullFetch: Bool

  /// A zone of which nothing was read yet.
  public init(
    zoneID: ZoneID, token: ChangeToken? = nil, tokenAt: WallTime? = nil, isStale: Bool = false, fullFetches: Int64 = 0,
    isInFullFetch: Bool = false
  ) {
    self.zoneID = zoneID
    self.token = token
    self.tokenAt = tokenAt
    self.isStale = isStale
    self.fullFetches = fullFetches
    self.isInFullFetch = isInFullFetch
  }

  /// Whether the zone's feed is to be read: there is news, or a full fetch came to its end and records that it did not meet
  /// were not looked up yet.
  var isToRead: Bool { isStale || (isInFullFetch && token != nil) }

  /// Begins another full fetch.
  mutating func beginFullFetch() {
    fullFetches += 1
    isInFullFetch = true
  }

  /// A zone whose feed is to be read from the beginning, which is a full fetch.
  static func unread(_ zoneID: ZoneID) -> ZoneState { ZoneState(zoneID: zoneID, fullFetches: 1, isInFullFetch: true) }
}
