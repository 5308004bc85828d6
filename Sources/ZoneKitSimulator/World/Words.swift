import ZoneKitRecords
import ZoneKitSync
import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitDocumentServer

/// Short descriptions of requests, answers and effects for the trace.
extension CloudRequest {
  /// A description of the request.
  var words: String {
    let traits = RequestTraits(self)
    let zones = (traits.zonesRead + traits.zonesWritten).map(\.zoneName.text).joined(separator: ", ")
    return switch traits.kind {
    case .listZones: "list zones"
    case .lookupZones: "look up \(traits.items.count) zones"
    case .modifyZones, .createZones, .deleteZones: "modify \(traits.items.count) zones"
    case .modifyRecords, .saveRecords, .deleteRecords: "save \(zones) \(traits.items.count)"
    case .queryRecords: "query \(zones)"
    case .lookupRecords: "look up \(zones) \(traits.items.count)"
    case .createUploads: "upload assets of \(zones)"
    case .rereferenceAssets: "reuse assets of \(zones)"
    case .fetchDatabaseChanges: "database changes"
    case .fetchZoneChanges: "changes of \(zones)"
    case .listSubscriptions: "list subscriptions"
    case .lookupSubscriptions: "look up subscription"
    case .modifySubscriptions, .saveSubscriptions, .deleteSubscriptions: "save subscription"
    case .fetchUsers: "fetch users"
    case .resolveShares: "resolve shares"
    case .acceptShares: "accept shares"
    case .createPushToken: "create token"
    case .registerPushToken: "register token"
    }
  }
}

extension CloudMessage {
  /// A description of the message: that of the request to the cloud that does the same.
  var words: String {
    switch self {
    case .call(let request, _): request.words
    case .documents(let request, let app): request.cloudRequest(of: app).words
    case .administration: "administration"
    case .purge: "purge"
    case .rows, .relations, .unreadableRows: "rows"
    case .function(let name, _): name
    case .object: "object"
    case .account, .unverified: "account"
    case .maintenance: "maintenance"
    }
  }
}

extension CloudResponse {
  /// A description of the answer.
  var words: String {
    switch self {
    case .zones(let results): "\(results.count) zones"
    case .records(let results):
      "\(results.count) records" + (failures(results) > 0 ? ", \(failures(results)) refused" : "")
    case .atomicFailure(let results): "none of \(results.count) records"
    case .queries(let results): results.map(\.words).joined(separator: ", ")
    case .databaseChanges(let changes): "\(changes.zones.count) zones changed"
    case .zoneChanges(let results): results.map(\.words).joined(separator: ", ")
    case .subscriptions(let results): "\(results.count) subscriptions"
    case .uploads(let tokens): "\(tokens.count) uploads"
    case .assets(let results): "\(results.count) assets"
    case .users(let results): "\(results.count) users"
    case .shares(let results): "\(results.count) shares"
    case .pushToken: "a token"
    case .failure(let error): error.code.rawValue
    }
  }

  private func failures(_ results: [RecordResult]) -> Int {
    results.count { if case .failed = $0 { true } else { false } }
  }
}

extension QueryResult {
  fileprivate var words: String {
    switch self {
    case .records(let records): "\(records.count) found\(records.marker == nil ? "" : "...")"
    case .failed(let error): error.code.rawValue
    }
  }
}

extension ZoneChangesResult {
  fileprivate var words: String {
    switch self {
    case .changes(let changes): "\(changes.page.count) of \(changes.zoneID.zoneName)\(changes.moreComing ? "..." : "")"
    case .failed(let zoneID, let error): "\(zoneID.zoneName): \(error.code.rawValue)"
    }
  }
}

extension TurnEffect {
  /// The effect's name in crash points.
  var name: String {
    switch self {
    case .zones(.answer): "answer"
    case .zones(.transacted): "transacted"
    case .zones(.notify): "notify"
    case .zones(.registered): "registered"
    case .zones(.unregistered): "unregistered"
    case .zones(.fact): "fact"
    case .account: "account"
    case .relation, .relationsChanged: "rows"
    case .object: "objects"
    }
  }
}
