import ZoneKitRecords

/// What a request asks for, as a fault names it. Some kinds are about a part of a request only: `saveRecords` is every
/// `modifyRecords` that saves something, and of that request the saves.
package enum RequestKind: String, CaseIterable, Hashable, Sendable {
  case listZones, lookupZones
  case modifyZones, createZones, deleteZones
  case modifyRecords, saveRecords, deleteRecords
  case lookupRecords
  case fetchDatabaseChanges, fetchZoneChanges
  case listSubscriptions, lookupSubscriptions
  case modifySubscriptions, saveSubscriptions, deleteSubscriptions
  case createPushToken, registerPushToken
}

extension CloudRequest {
  /// The kind of the whole request.
  package var kind: RequestKind {
    switch self {
    case .listZones: .listZones
    case .lookupZones: .lookupZones
    case .modifyZones: .modifyZones
    case .modifyRecords: .modifyRecords
    case .lookupRecords: .lookupRecords
    case .fetchDatabaseChanges: .fetchDatabaseChanges
    case .fetchZoneChanges: .fetchZoneChanges
    case .listSubscriptions: .listSubscriptions
    case .lookupSubscriptions: .lookupSubscriptions
    case .modifySubscriptions: .modifySubscriptions
    case .createPushToken: .createPushToken
    case .registerPushToken: .registerPushToken
    }
  }
}
