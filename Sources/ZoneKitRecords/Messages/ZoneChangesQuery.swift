/// Asks for a page of one zone's change feed (CloudKit Web Services, a.1 row 6).
public struct ZoneChangesQuery: Hashable, Sendable {
  /// The zone.
  public var zoneID: ZoneID
  /// The position after which the page begins; nil for the beginning of the feed.
  public var token: ChangeToken?
  /// At most this many records; clamped to 1 ... `pageLimit`.
  public var limit: Int
  /// Newest first.
  public var isReversed: Bool
  /// Only records of these types, and all tombstones; nil for every type.
  public var recordTypes: [Name]?

  /// The most records of one page (CloudKit Web Services, g).
  public static let pageLimit = 200

  /// A query that starts at that token.
  public init(
    zoneID: ZoneID, token: ChangeToken?, limit: Int = ZoneChangesQuery.pageLimit, isReversed: Bool = false,
    recordTypes: [Name]? = nil
  ) {
    self.zoneID = zoneID
    self.token = token
    self.limit = min(max(limit, 1), Self.pageLimit)
    self.isReversed = isReversed
    self.recordTypes = recordTypes
  }
}
