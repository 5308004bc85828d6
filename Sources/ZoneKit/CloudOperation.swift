import ZoneKitRecords

/// A kind of request that devices send to the cloud, to say which requests a fault is for.
public enum CloudOperation: String, CaseIterable, Hashable, Sendable {
  /// Any request.
  case any
  /// Creating zones.
  case createZones
  /// Saving records.
  case saveRecords
  /// Deleting records.
  case deleteRecords
  /// Looking up single records.
  case lookupRecords
  /// Fetching the zones that changed in the database.
  case fetchDatabaseChanges
  /// Fetching the records that changed in a zone.
  case fetchZoneChanges
  /// Looking up subscriptions.
  case lookupSubscriptions
  /// Saving subscriptions.
  case saveSubscriptions
  /// Deleting subscriptions.
  case deleteSubscriptions
  /// Creating a token for the push service.
  case createPushToken
  /// Registering a token with the push service.
  case registerPushToken

  /// The kinds of requests that are meant; nil for all.
  var kinds: [RequestKind]? {
    guard self != .any else { return nil }
    guard let kind = RequestKind(rawValue: rawValue) else {
      preconditionFailure("the cloud is asked for nothing of the name \(rawValue)")
    }
    return [kind]
  }
}
