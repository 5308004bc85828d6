import ZoneKitRecords

/// What a device asks its cloud for, as a fault names it.
public enum CloudOperation: String, CaseIterable, Hashable, Sendable {
  /// Whatever it asks for.
  case any
  case createZones, saveRecords, deleteRecords, lookupRecords
  case fetchDatabaseChanges, fetchZoneChanges
  case lookupSubscriptions, saveSubscriptions, deleteSubscriptions
  case createPushToken, registerPushToken

  /// The kinds of requests that are meant; nil for all.
  var kinds: [RequestKind]? {
    guard self != .any else { return nil }
    guard let kind = RequestKind(rawValue: rawValue) else {
      preconditionFailure("the cloud is asked for nothing of the name \(rawValue)")
    }
    return [kind]
  }
}
