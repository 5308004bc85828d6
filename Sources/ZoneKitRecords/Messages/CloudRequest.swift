/// What can be asked of the cloud, as values: the wire turns bytes into these, the simulator passes them as they are.
public enum CloudRequest: Hashable, Sendable {
  /// All zones of the database.
  case listZones
  /// These zones.
  case lookupZones([ZoneID])
  /// Create and delete zones, one after the other.
  case modifyZones([ZoneOperation])
  /// Save and delete records of one zone.
  case modifyRecords(ModifyRecords)
  /// These records of one zone.
  case lookupRecords(zoneID: ZoneID, recordNames: [Name])
  /// Which zones changed since the token (since ever, without one). At most `limit` zones, at least 1.
  case fetchDatabaseChanges(since: ChangeToken?, limit: Int)
  /// What changed in these zones.
  case fetchZoneChanges([ZoneChangesQuery])
  /// All subscriptions of the caller in the database.
  case listSubscriptions
  /// These subscriptions.
  case lookupSubscriptions([String])
  /// Create, update and delete subscriptions, one after the other.
  case modifySubscriptions([SubscriptionOperation])
  /// Make up a push token; it counts only once it is registered.
  case createPushToken(environment: Environment)
  /// Deliver the caller's notifications to that token from now on.
  case registerPushToken(PushRegistration)
}
