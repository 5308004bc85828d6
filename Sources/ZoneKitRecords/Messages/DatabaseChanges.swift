/// A page of the database's change feed: the zones that changed (CloudKit Web Services, c.6).
public struct DatabaseChanges: Hashable, Sendable {
  /// The zones, each once, in the order of their last change.
  public var zones: [ChangedZone]
  /// The position after this page.
  public var token: ChangeToken
  /// Whether the feed has more zones after the token.
  public var moreComing: Bool

  /// A page with those zones.
  public init(zones: [ChangedZone], token: ChangeToken, moreComing: Bool) {
    self.zones = zones
    self.token = token
    self.moreComing = moreComing
  }
}

/// A zone that changed.
public enum ChangedZone: Hashable, Sendable {
  /// The zone was created, or records in it changed. The token is the zone's current position.
  case changed(ZoneID, token: ChangeToken)
  /// The zone was deleted.
  case deleted(ZoneID, ZoneEnding)
}
