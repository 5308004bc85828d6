import ZoneKitRecords

extension CloudOperation {
  /// The kinds of request that the operation includes; nil for every kind.
  package var kinds: [RequestKind]? {
    switch self {
    case .request: nil
    case .save: [.saveRecords]
    case .delete: [.deleteRecords]
    case .write: [.modifyRecords]
    case .fetch: [.fetchDatabaseChanges, .fetchZoneChanges]
    case .databaseFetch: [.fetchDatabaseChanges]
    case .zoneFetch: [.fetchZoneChanges]
    case .lookup: [.lookupRecords]
    case .assetUpload: [.createUploads]
    case .assetReuse: [.rereferenceAssets]
    case .zoneSave: [.createZones]
    case .subscriptionLookup: [.listSubscriptions, .lookupSubscriptions]
    case .namedSubscriptionLookup: [.lookupSubscriptions]
    case .subscriptionSave: [.saveSubscriptions]
    case .registration: [.createPushToken, .registerPushToken]
    case .tokenCreation: [.createPushToken]
    case .tokenRegistration: [.registerPushToken]
    }
  }
}
