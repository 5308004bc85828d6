import ZoneKitRecords

/// One of the things that a request is about, and that has a result of its own in the answer.
struct RequestItem {
  /// The kind of the part that the item belongs to.
  var kind: RequestKind
  var zoneName: Name?
  var recordName: Name?
}

extension CloudRequest {
  /// How many items the request has; 0 where it is not about single things.
  package var itemCount: Int {
    switch self {
    case .lookupZones(let ids): ids.count
    case .modifyZones(let operations): operations.count
    case .modifyRecords(let batch): batch.operations.count
    case .lookupRecords(_, let names): names.count
    case .fetchZoneChanges(let queries): queries.count
    case .lookupSubscriptions(let ids): ids.count
    case .modifySubscriptions(let operations): operations.count
    case .listZones, .fetchDatabaseChanges, .listSubscriptions, .createPushToken, .registerPushToken: 0
    }
  }

  /// The item at that place, in 0 ..< `itemCount`.
  func item(at index: Int) -> RequestItem {
    switch self {
    case .lookupZones(let ids): RequestItem(kind: .lookupZones, zoneName: ids[index].zoneName)
    case .modifyZones(let operations): operations[index].item
    case .modifyRecords(let batch):
      RequestItem(
        kind: batch.operations[index].kind.isDeletion ? .deleteRecords : .saveRecords,
        zoneName: batch.zoneID.zoneName, recordName: batch.operations[index].recordName)
    case .lookupRecords(let zoneID, let names):
      RequestItem(kind: .lookupRecords, zoneName: zoneID.zoneName, recordName: names[index])
    case .fetchZoneChanges(let queries):
      RequestItem(kind: .fetchZoneChanges, zoneName: queries[index].zoneID.zoneName)
    case .modifySubscriptions(let operations):
      RequestItem(kind: operations[index].isDeletion ? .deleteSubscriptions : .saveSubscriptions)
    case .lookupSubscriptions, .listZones, .fetchDatabaseChanges, .listSubscriptions, .createPushToken,
      .registerPushToken:
      RequestItem(kind: kind)
    }
  }

  /// The same request without the items at these places.
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
    case .fetchZoneChanges(let queries): .fetchZoneChanges(queries.without(isLeftOut))
    case .lookupSubscriptions(let ids): .lookupSubscriptions(ids.without(isLeftOut))
    case .modifySubscriptions(let operations): .modifySubscriptions(operations.without(isLeftOut))
    case .listZones, .fetchDatabaseChanges, .listSubscriptions, .createPushToken, .registerPushToken: self
    }
  }
}

extension Array {
  fileprivate func without(_ isLeftOut: (Int) -> Bool) -> [Element] {
    indices.filter { !isLeftOut($0) }.map { self[$0] }
  }
}

extension ZoneOperation {
  fileprivate var item: RequestItem {
    switch self {
    case .create(let id): RequestItem(kind: .createZones, zoneName: id.zoneName)
    case .delete(let id): RequestItem(kind: .deleteZones, zoneName: id.zoneName)
    }
  }
}

extension RecordOperation.Kind {
  fileprivate var isDeletion: Bool {
    switch self {
    case .delete, .forceDelete: true
    case .create, .update, .forceUpdate, .replace, .forceReplace: false
    }
  }
}

extension SubscriptionOperation {
  fileprivate var isDeletion: Bool {
    switch self {
    case .delete: true
    case .create, .update, .malformed: false
    }
  }
}
