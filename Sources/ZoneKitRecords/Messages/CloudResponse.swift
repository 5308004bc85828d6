/// What the cloud answers, case by case to `CloudRequest`; lists are in the order of what was asked.
public enum CloudResponse: Hashable, Sendable {
  /// For `listZones`, `lookupZones` and `modifyZones`.
  case zones([ZoneResult])
  /// For `modifyRecords` and `lookupRecords`.
  case records([RecordResult])
  /// For an atomic `modifyRecords` of which nothing was written: the culprits with their own codes, the others with
  /// `batchRequestFailed`.
  case atomicFailure([RecordResult])
  /// For `fetchDatabaseChanges`.
  case databaseChanges(DatabaseChanges)
  /// For `fetchZoneChanges`.
  case zoneChanges([ZoneChangesResult])
  /// For the three requests about subscriptions.
  case subscriptions([SubscriptionResult])
  /// For `createPushToken` and `registerPushToken`.
  case pushToken(environment: Environment, token: String)
  /// The request as a whole was refused, or what it did could not be kept. Nothing was changed.
  case failure(CloudError)
}
