/// The answer to a query of one zone's changes.
public enum ZoneChangesResult: Hashable, Sendable {
  /// A page of the feed.
  case changes(ZoneChanges)
  /// The feed cannot be read from that token.
  case failed(ZoneID, CloudError)
}

/// A page of one zone's change feed.
public struct ZoneChanges: Hashable, Sendable {
  /// The zone.
  public var zoneID: ZoneID
  /// The records and tombstones, each at most once, oldest change first unless asked otherwise.
  public var page: RecordPage
  /// The position after this page; equal to the one asked from when there was nothing new.
  public var token: ChangeToken
  /// Whether the feed has more after the token. The number of records does not say that.
  public var moreComing: Bool

  /// A page of that zone.
  public init(zoneID: ZoneID, page: RecordPage, token: ChangeToken, moreComing: Bool) {
    self.zoneID = zoneID
    self.page = page
    self.token = token
    self.moreComing = moreComing
  }
}
