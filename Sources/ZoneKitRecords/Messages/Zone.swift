/// A zone as the cloud describes it (CloudKit Web Services, b.2).
public struct Zone: Hashable, Sendable {
  /// The zone's name and owner; the owner is always a user record name here.
  public var zoneID: ZoneID
  /// The zone's current position; nil for the default zone, which has no feed.
  public var token: ChangeToken?
  /// Whether a batch can be all or nothing here: true for custom zones.
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
  /// The zone as it is now.
  case zone(Zone)
  /// The zone is gone.
  case deleted(ZoneID)
  /// The zone was not changed, or is not there.
  case failed(ZoneID, CloudError)
}
