/// A query for a page of one zone's change feed (CloudKit Web Services, a.1 row 6).
public struct ZoneChangesQuery: Hashable, Sendable {
  /// The zone.
  public var zoneID: ZoneID
  /// The change token after which the page begins; nil for the beginning of the feed.
  public var token: ChangeToken?
  /// The most records, limited to 1 ... `pageLimit`.
  public var limit: Int
  /// Whether the newest changes come first.
  public var isReversed: Bool
  /// The record types to return, besides all tombstones; nil for all types.
  public var recordTypes: [Name]?
  /// The change tags of the client's own changes that the cloud confirmed and that no page has shown. If the zone never had
  /// one of them, it lost changes that the token does not cover, and the token is refused as expired.
  public var acknowledged: [ChangeTag]

  /// The most records of one page (CloudKit Web Services, g).
  public static let pageLimit = 200

  /// A query from that token on.
  public init(
    zoneID: ZoneID, token: ChangeToken?, limit: Int = ZoneChangesQuery.pageLimit, isReversed: Bool = false,
    recordTypes: [Name]? = nil, acknowledged: [ChangeTag] = []
  ) {
    self.zoneID = zoneID
    self.token = token
    self.limit = min(max(limit, 1), Self.pageLimit)
    self.isReversed = isReversed
    self.recordTypes = recordTypes
    self.acknowledged = acknowledged
  }
}
