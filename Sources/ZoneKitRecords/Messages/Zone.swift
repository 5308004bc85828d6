/// A zone as the cloud returns it (CloudKit Web Services, b.2).
public struct Zone: Hashable, Sendable {
  /// The zone's name and owner; the owner is always a user record name here.
  public var zoneID: ZoneID
  /// The change token of the zone's current position; nil for the default zone, which has no feed.
  public var token: ChangeToken?
  /// Whether the zone supports atomic batches. True for custom zones.
  public var isAtomic: Bool

  /// A zone with that position.
  public init(zoneID: ZoneID, token: ChangeToken?, isAtomic: Bool) {
    self.zoneID = zoneID
    self.token = token
    self.isAtomic = isAtomic
  }
}

/// The result of a request for one zone.
public enum ZoneResult: Hashable, Sendable {
  /// The zone's present state.
  case zone(Zone)
  /// The zone was deleted.
  case deleted(ZoneID)
  /// The operation failed, or the zone does not exist.
  case failed(ZoneID, CloudError)
}
