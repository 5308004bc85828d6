/// The cloud's response to a `CloudRequest`. Lists have the order of the request.
public enum CloudResponse: Hashable, Sendable {
  /// For `listZones`, `lookupZones` and `modifyZones`.
  case zones([ZoneResult])
  /// For `modifyRecords` and `lookupRecords`.
  case records([RecordResult])
  /// For an atomic `modifyRecords` of which nothing was written: the failed operations with their own errors, the
  /// others with `batchRequestFailed`.
  case atomicFailure([RecordResult])
  /// For `queryRecords`.
  case queries([QueryResult])
  /// For `createUploads`.
  case uploads([AssetUploadToken])
  /// For `rereferenceAssets`.
  case assets([AssetResult])
  /// For `fetchDatabaseChanges`.
  case databaseChanges(DatabaseChanges)
  /// For `fetchZoneChanges`.
  case zoneChanges([ZoneChangesResult])
  /// For the three requests about subscriptions.
  case subscriptions([SubscriptionResult])
  /// For `fetchUsers`.
  case users([UserResult])
  /// For `resolveShares` and `acceptShares`.
  case shares([ShareResult])
  /// For `createPushToken` and `registerPushToken`.
  case pushToken(environment: Environment, token: String)
  /// The whole request was refused, or its changes could not be committed. Nothing has changed.
  case failure(CloudError)
}
