import ZoneKitRecords

/// A request to the cloud as a device sends it: method, path behind the server's root, and body.
package struct ClientRequest: Hashable, Sendable {
  /// POST, which the lists take as well.
  package var method: String
  /// Path and query, percent-encoded.
  package var target: String
  /// The JSON body.
  package var body: [UInt8]

  /// A GET of that path.
  package init(getting target: String) {
    method = "GET"
    self.target = target
    body = []
  }

  /// Writes a request of that account and device.
  package init(_ request: CloudRequest, to database: DatabaseID, apiToken: String, caller: Caller) {
    method = "POST"
    let endpoint = Endpoint(request.kind)
    let place = "\(HTTPPercent.encode(database.container.text))/\(database.environment.text)"
    var query = "ckAPIToken=\(HTTPPercent.encode(apiToken))"
    query += "&ckWebAuthToken=\(HTTPPercent.encode(Authentication.userPrefix + caller.user.text))"
    if let deviceID = caller.deviceID { query += "&clientId=\(HTTPPercent.encode(deviceID))" }
    let path =
      endpoint.isAboutTokens
      ? "/device/1/\(place)/\(endpoint.rawValue)"
      : "/database/1/\(place)/\(database.scope.rawValue)/\(endpoint.rawValue)"
    target = "\(path)?\(query)"
    body = ClientBodyWriter.body(of: request)
  }
}

extension Endpoint {
  /// The endpoint that serves requests of that kind.
  init(_ kind: RequestKind) {
    switch kind {
    case .listZones: self = .zonesList
    case .lookupZones: self = .zonesLookup
    case .modifyZones, .createZones, .deleteZones: self = .zonesModify
    case .modifyRecords, .saveRecords, .deleteRecords: self = .recordsModify
    case .lookupRecords: self = .recordsLookup
    case .fetchDatabaseChanges: self = .changesDatabase
    case .fetchZoneChanges: self = .changesZone
    case .listSubscriptions: self = .subscriptionsList
    case .lookupSubscriptions: self = .subscriptionsLookup
    case .modifySubscriptions, .saveSubscriptions, .deleteSubscriptions: self = .subscriptionsModify
    case .createPushToken: self = .tokensCreate
    case .registerPushToken: self = .tokensRegister
    }
  }
}
