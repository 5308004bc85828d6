import ZoneKitDeviceHost
import ZoneKitRecords

extension Fault {
  /// The fault of a service of tables that a step adds; nil for another step.
  package init?(_ step: TableStep) {
    guard case .trouble(let trouble, let count, let device) = step else { return nil }
    let (action, kinds) = trouble.fault
    self.init(telling: .table(action), on: FaultScope(tables: kinds, deviceID: device), times: count.limit)
  }

  /// The fault as the protocol of an app needs it.
  package func fitted(to app: DeviceApp) -> Fault { app.hasTables ? forTables : self }

  /// The fault that does to requests for tables what this one does to requests for zones.
  package var forTables: Fault {
    var fault = self
    fault.action = action.forTables
    fault.scope.kinds = scope.kinds.map { kinds in
      kinds.flatMap { kind -> [FaultKind] in
        switch kind {
        case .cloud(let kind): kind.forTables.map { .table($0) }
        case .table, .push: [kind]
        }
      }
    }
    // Rows lie in one zone, which requests for them do not name.
    fault.scope.zoneName = nil
    return fault
  }
}

extension FaultAction {
  fileprivate var forTables: FaultAction {
    switch self {
    case .staleFeed(let milliseconds): .table(.staleRows(milliseconds: milliseconds))
    case .omitRecords: .table(.omitRows)
    case .doubleRecords: .table(.doubleRows)
    case .refuse, .refuseItems, .loseRequest, .loseAnswer, .delayAnswer, .repeatRequest, .stuckToken, .listZone,
      .forgetSubscriptions, .muteSubscriptions, .table, .push:
      self
    }
  }
}

extension RequestKind {
  /// The requests for tables that a device sends for a request of this kind; empty if there are none.
  fileprivate var forTables: [TableRequestKind] {
    switch self {
    case .modifyRecords, .saveRecords: [.insertRows, .upsertRows, .updateRows, .putObject]
    case .fetchZoneChanges, .fetchDatabaseChanges, .lookupRecords, .queryRecords: [.readRows, .getObject]
    case .deleteRecords: [.deleteRows]
    case .listZones, .lookupZones, .modifyZones, .createZones, .deleteZones, .createUploads, .rereferenceAssets,
      .listSubscriptions, .lookupSubscriptions, .modifySubscriptions, .saveSubscriptions, .deleteSubscriptions,
      .createPushToken,
      .registerPushToken, .fetchUsers, .resolveShares, .acceptShares:
      []
    }
  }
}
