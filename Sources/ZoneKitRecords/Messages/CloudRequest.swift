/// A request to the cloud, independent of its encoding.
public enum CloudRequest: Hashable, Sendable {
  /// Return all zones of the database.
  case listZones
  /// Return these zones.
  case lookupZones([ZoneID])
  /// Create and delete zones, in order.
  case modifyZones([ZoneOperation])
  /// Save and delete records of one zone.
  case modifyRecords(ModifyRecords)
  /// Return these records of one zone.
  case lookupRecords(zoneID: ZoneID, recordNames: [Name])
  /// Return a page of the records that each of these queries finds.
  case queryRecords([QueryRecords])
  /// Permit uploads of assets for fields of records of one zone.
  case createUploads(zoneID: ZoneID, [AssetUpload])
  /// Return receipts for the assets in these fields of records of one zone.
  case rereferenceAssets(zoneID: ZoneID, [AssetPlace])
  /// Return the zones that changed since the token, or all without one. At most `limit` zones, at least 1.
  case fetchDatabaseChanges(since: ChangeToken?, limit: Int)
  /// Return the changes in these zones.
  case fetchZoneChanges([ZoneChangesQuery])
  /// Return all subscriptions of the caller in the database.
  case listSubscriptions
  /// Return these subscriptions.
  case lookupSubscriptions([String])
  /// Create, update and delete subscriptions, in order.
  case modifySubscriptions([SubscriptionOperation])
  /// Return users.
  case fetchUsers(UserQuery)
  /// Return what these short GUIDs lead to.
  case resolveShares([ShareRequest])
  /// Take part in the shares of these short GUIDs.
  case acceptShares([ShareRequest])
  /// Create a push token. It has no effect until it is registered.
  case createPushToken(environment: Environment)
  /// Deliver the caller's notifications to that token from now on.
  case registerPushToken(PushRegistration)
}
