import ZoneKitRecords

/// A device's position in a zone's feed.
public struct ZoneState: Hashable, Sendable {
  /// The zone.
  public var zoneID: ZoneID
  /// The change token; nil for the beginning of the feed.
  public var token: ChangeToken?
  /// When the token was stored, by the device's wall clock.
  public var tokenAt: WallTime?
  /// Whether the database's feed listed the zone and its own feed was not read to the end since.
  public var isStale: Bool
  /// The number of full fetches of the zone. At the end of one, records with a smaller number were not seen and are
  /// removed.
  public var fullFetches: Int64
  /// Whether a full fetch is in progress.
  public var isInFullFetch: Bool
  /// Whether the full fetch follows a loss of changes in the cloud. Then records that it does not see are offered again
  /// instead of removed, and an older version does not replace a newer one.
  public var isAfterLoss: Bool
  /// The change tags of this device's changes that the cloud confirmed and the feed has not shown since, oldest first. A
  /// cloud that does not know one of them lost it.
  public var acknowledged: [ChangeTag]

  /// A zone that was not read yet.
  public init(
    zoneID: ZoneID, token: ChangeToken? = nil, tokenAt: WallTime? = nil, isStale: Bool = false, fullFetches: Int64 = 0,
    isInFullFetch: Bool = false, isAfterLoss: Bool = false, acknowledged: [ChangeTag] = []
  ) {
    self.zoneID = zoneID
    self.token = token
    self.tokenAt = tokenAt
    self.isStale = isStale
    self.fullFetches = fullFetches
    self.isInFullFetch = isInFullFetch
    self.isAfterLoss = isAfterLoss
    self.acknowledged = acknowledged
  }

  /// Whether the zone's feed has to be read: it has changes, or a full fetch reached its end and records that it did
  /// not see were not looked up yet.
  var isToRead: Bool { isStale || (isInFullFetch && token != nil) }

  /// Begins another full fetch.
  mutating func beginFullFetch() {
    fullFetches += 1
    isInFullFetch = true
    acknowledged = []
  }

  /// Adds a confirmed change that the feed has to show.
  mutating func acknowledge(_ tag: ChangeTag) {
    acknowledged = (acknowledged + [tag]).suffix(2 * Self.acknowledgedLimit)
  }

  /// Removes a change that the feed shows.
  mutating func saw(_ tag: ChangeTag) { acknowledged.removeAll { $0 == tag } }

  /// Whether the feed has to be read because it has not shown many confirmed changes.
  var hasManyAcknowledged: Bool { acknowledged.count >= Self.acknowledgedLimit }

  /// The number of confirmed changes after which the feed is read even if nobody announces a change.
  private static var acknowledgedLimit: Int { 50 }

  /// Ends the full fetch.
  mutating func endFullFetch() {
    isInFullFetch = false
    isAfterLoss = false
  }

  /// A zone whose feed has to be read from its beginning, with a full fetch.
  static func unread(_ zoneID: ZoneID) -> ZoneState { ZoneState(zoneID: zoneID, fullFetches: 1, isInFullFetch: true) }
}
