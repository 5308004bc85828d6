import ZoneKitRecords
import ZoneKitSync
import ZoneKitCloud

/// The few words with which a trace speaks of requests, answers, effects and facts.
extension CloudRequest {
  /// What is asked for.
  var words: String {
    switch self {
    case .listZones: "list zones"
    case .lookupZones(let zones): "look up \(zones.count) zones"
    case .modifyZones(let operations): "modify \(operations.count) zones"
    case .modifyRecords(let batch): "save \(batch.zoneID.zoneName) \(batch.operations.count)"
    case .lookupRecords(let zoneID, let names): "look up \(zoneID.zoneName) \(names.count)"
    case .fetchDatabaseChanges: "database changes"
    case .fetchZoneChanges(let queries): "changes of " + queries.map(\.zoneID.zoneName.text).joined(separator: ", ")
    case .listSubscriptions: "list subscriptions"
    case .lookupSubscriptions: "look up subscription"
    case .modifySubscriptions: "save subscription"
    case .createPushToken: "create token"
    case .registerPushToken: "register token"
    }
  }

  /// Whether it asks a feed.
  var isFetch: Bool {
    switch self {
    case .fetchDatabaseChanges, .fetchZoneChanges: true
    case .listZones, .lookupZones, .modifyZones, .modifyRecords, .lookupRecords, .listSubscriptions,
      .lookupSubscriptions, .modifySubscriptions, .createPushToken, .registerPushToken:
      false
    }
  }

  /// Whether it writes records.
  var isWrite: Bool {
    if case .modifyRecords = self { true } else { false }
  }
}

extension CloudResponse {
  /// What the answer is.
  var words: String {
    switch self {
    case .zones(let results): "\(results.count) zones"
    case .records(let results):
      "\(results.count) records" + (failures(results) > 0 ? ", \(failures(results)) refused" : "")
    case .atomicFailure(let results): "none of \(results.count) records"
    case .databaseChanges(let changes): "\(changes.zones.count) zones changed"
    case .zoneChanges(let results): results.map(\.words).joined(separator: ", ")
    case .subscriptions(let results): "\(results.count) subscriptions"
    case .pushToken: "a token"
    case .failure(let error): error.code.rawValue
    }
  }

  private func failures(_ results: [RecordResult]) -> Int {
    results.count { if case .failed = $0 { true } else { false } }
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

extension ZoneServer.Effect {
  /// The effect's name, by which a crash can be asked for.
  var name: String {
    switch self {
    case .answer: "answer"
    case .notify: "notify"
    case .registered: "registered"
    case .unregistered: "unregistered"
    case .fact: "fact"
    }
  }
}

extension Effect {
  /// The effect's name, by which a crash can be asked for.
  var name: String {
    switch self {
    case .send: "send"
    case .remoteChange: "remoteChange"
    case .fact(let fact): fact.kind.rawValue
    }
  }
}
