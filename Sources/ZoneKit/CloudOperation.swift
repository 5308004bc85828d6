import ZoneKitRecords

/// A kind of request that devices send to the cloud, to select the requests of a fault.
public enum CloudOperation: String, CaseIterable, Hashable, Sendable {
  /// Any request.
  case any
  /// A request that creates zones.
  case createZones
  /// A request that saves records.
  case saveRecords
  /// A request that deletes records.
  case deleteRecords
  /// A request that looks up single records.
  case lookupRecords
  /// A request for the changed zones of the database.
  case fetchDatabaseChanges
  /// A request for the changed records of a zone.
  case fetchZoneChanges
  /// A request that looks up subscriptions.
  case lookupSubscriptions
  /// A request that saves subscriptions.
  case saveSubscriptions
  /// A request that deletes subscriptions.
  case deleteSubscriptions
  /// A request that creates a push token.
  case createPushToken
  /// A request that registers a push token.
  case registerPushToken

  /// The kinds of requests that it includes; nil for all.
  var kinds: [RequestKind]? {
    guard self != .any else { return nil }
    guard let kind = RequestKind(rawValue: rawValue) else {
      preconditionFailure("the cloud is asked for nothing of the name \(rawValue)")
    }
    return [kind]
  }
}
