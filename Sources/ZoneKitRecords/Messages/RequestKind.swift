/// The kind of a request, for faults and traces. Some kinds name a part of a request: `saveRecords` is the saves of a
/// `modifyRecords`.
package enum RequestKind: String, CaseIterable, Hashable, Sendable {
  case listZones, lookupZones
  case modifyZones, createZones, deleteZones
  case modifyRecords, saveRecords, deleteRecords
  case lookupRecords
  case queryRecords
  case createUploads, rereferenceAssets
  case fetchDatabaseChanges, fetchZoneChanges
  case listSubscriptions, lookupSubscriptions
  case modifySubscriptions, saveSubscriptions, deleteSubscriptions
  case fetchUsers
  case resolveShares, acceptShares
  case createPushToken, registerPushToken

  /// Whether the request reads a change feed.
  package var isFetch: Bool { self == .fetchDatabaseChanges || self == .fetchZoneChanges }

  /// Whether the answer has one result for each item of the request.
  package var hasItems: Bool {
    switch self {
    case .lookupZones, .modifyZones, .createZones, .deleteZones, .modifyRecords, .saveRecords, .deleteRecords,
      .lookupRecords, .queryRecords, .fetchZoneChanges, .lookupSubscriptions, .modifySubscriptions, .saveSubscriptions,
      .deleteSubscriptions, .resolveShares, .acceptShares:
      true
    case .listZones, .createUploads, .rereferenceAssets, .fetchDatabaseChanges, .listSubscriptions, .createPushToken,
      .registerPushToken, .fetchUsers:
      false
    }
  }
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
    case .queryRecords: .queryRecords
    case .createUploads: .createUploads
    case .rereferenceAssets: .rereferenceAssets
    case .fetchDatabaseChanges: .fetchDatabaseChanges
    case .fetchZoneChanges: .fetchZoneChanges
    case .listSubscriptions: .listSubscriptions
    case .lookupSubscriptions: .lookupSubscriptions
    case .modifySubscriptions: .modifySubscriptions
    case .fetchUsers: .fetchUsers
    case .resolveShares: .resolveShares
    case .acceptShares: .acceptShares
    case .createPushToken: .createPushToken
    case .registerPushToken: .registerPushToken
    }
  }

  /// The zone of a request for records; nil for any other request.
  package var recordZoneID: ZoneID? {
    switch self {
    case .modifyRecords(let batch): batch.zoneID
    case .lookupRecords(let zoneID, _), .createUploads(let zoneID, _), .rereferenceAssets(let zoneID, _): zoneID
    case .listZones, .lookupZones, .modifyZones, .queryRecords, .fetchDatabaseChanges, .fetchZoneChanges,
      .listSubscriptions, .lookupSubscriptions, .modifySubscriptions, .createPushToken, .registerPushToken, .fetchUsers,
      .resolveShares, .acceptShares:
      nil
    }
  }

  /// The batch of a request that saves and deletes records; nil for any other request.
  package var batch: ModifyRecords? {
    if case .modifyRecords(let batch) = self { batch } else { nil }
  }
}
