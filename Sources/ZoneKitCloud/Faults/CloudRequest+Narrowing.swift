import ZoneKitRecords

/// Changes that faults make to a request before it reaches the cloud.
extension CloudRequest {
  /// The subscription that the item at that index saves; nil if it saves none.
  func savedSubscription(at index: Int) -> Subscription? {
    guard case .modifySubscriptions(let operations) = self else { return nil }
    return operations[index].saved
  }

  /// Whether the item at that index saves a subscription.
  func savesSubscription(at index: Int) -> Bool { savedSubscription(at: index) != nil }

  /// The same request without the items at these indexes.
  func without(_ isLeftOut: (Int) -> Bool) -> CloudRequest {
    switch self {
    case .lookupZones(let ids): .lookupZones(ids.without(isLeftOut))
    case .modifyZones(let operations): .modifyZones(operations.without(isLeftOut))
    case .modifyRecords(let batch):
      .modifyRecords(
        ModifyRecords(
          zoneID: batch.zoneID, operations: batch.operations.without(isLeftOut), isAtomic: batch.isAtomic))
    case .lookupRecords(let zoneID, let names):
      .lookupRecords(zoneID: zoneID, recordNames: names.without(isLeftOut))
    case .queryRecords(let queries): .queryRecords(queries.without(isLeftOut))
    case .fetchZoneChanges(let queries): .fetchZoneChanges(queries.without(isLeftOut))
    case .lookupSubscriptions(let ids): .lookupSubscriptions(ids.without(isLeftOut))
    case .modifySubscriptions(let operations): .modifySubscriptions(operations.without(isLeftOut))
    case .resolveShares(let requests): .resolveShares(requests.without(isLeftOut))
    case .acceptShares(let requests): .acceptShares(requests.without(isLeftOut))
    case .listZones, .createUploads, .rereferenceAssets, .fetchDatabaseChanges, .listSubscriptions, .createPushToken,
      .registerPushToken, .fetchUsers:
      self
    }
  }

  /// The short GUIDs of a request; empty for any other request.
  var shareRequests: [ShareRequest] {
    switch self {
    case .resolveShares(let requests), .acceptShares(let requests): requests
    default: []
    }
  }

  /// The same request with the subscriptions at these indexes muted.
  func muting(_ isMuted: (Int) -> Bool) -> CloudRequest {
    guard case .modifySubscriptions(let operations) = self else { return self }
    return .modifySubscriptions(operations.indices.map { isMuted($0) ? operations[$0].muted : operations[$0] })
  }
}

extension Array {
  fileprivate func without(_ isLeftOut: (Int) -> Bool) -> [Element] {
    indices.filter { !isLeftOut($0) }.map { self[$0] }
  }
}

extension SubscriptionOperation {
  fileprivate var muted: SubscriptionOperation {
    switch self {
    case .create(let subscription): .create(subscription.muted)
    case .update(let subscription): .update(subscription.muted)
    case .delete, .malformed: self
    }
  }
}

extension Subscription {
  /// The subscription without the flag for silent pushes.
  var muted: Subscription {
    var muted = self
    muted.notificationInfo?.shouldSendContentAvailable = false
    return muted
  }
}
