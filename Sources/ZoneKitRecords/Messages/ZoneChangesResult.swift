/// The result of a query of one zone's change feed.
public enum ZoneChangesResult: Hashable, Sendable {
  /// A page of the feed.
  case changes(ZoneChanges)
  /// The error of the query.
  case failed(ZoneID, CloudError)
}

/// A page of one zone's change feed.
public struct ZoneChanges: Hashable, Sendable {
  /// The zone.
  public var zoneID: ZoneID
  /// The records and tombstones, each at most once, the oldest change first unless the query is reversed.
  public var page: RecordPage
  /// The change token after this page, equal to that of the query if there were no changes.
  public var token: ChangeToken
  /// Whether there are more changes after the token. It is independent of the number of records.
  public var moreComing: Bool

  /// A page of that zone.
  public init(zoneID: ZoneID, page: RecordPage, token: ChangeToken, moreComing: Bool) {
    self.zoneID = zoneID
    self.page = page
    self.token = token
    self.moreComing = moreComing
  }
}
