import ZoneKitRecords

extension ClientRequest {
  /// A request of CloudKit Web Services for that account and device. The method is POST, which the lists accept too.
  package init(_ request: CloudRequest, to database: DatabaseID, apiToken: String, caller: Caller) {
    let endpoint = Endpoint(request.kind)
    let place = "\(HTTPPercent.encode(database.container.text))/\(database.environment.rawValue)"
    var query = "ckAPIToken=\(HTTPPercent.encode(apiToken))"
    query += "&ckWebAuthToken=\(HTTPPercent.encode(Authentication.userPrefix + caller.user.text))"
    if let deviceID = caller.deviceID { query += "&clientId=\(HTTPPercent.encode(deviceID))" }
    let path =
      endpoint.isAboutTokens
      ? "/device/1/\(place)/\(endpoint.rawValue)"
      : "/database/1/\(place)/\(database.scope.rawValue)/\(endpoint.rawValue)"
    self.init("POST", "\(path)?\(query)", body: ClientBodyWriter.body(of: request))
  }
}

extension Endpoint {
  /// The endpoint for requests of that kind.
  init(_ kind: RequestKind) {
    switch kind {
    case .listZones: self = .zonesList
    case .lookupZones: self = .zonesLookup
    case .modifyZones, .createZones, .deleteZones: self = .zonesModify
    case .modifyRecords, .saveRecords, .deleteRecords: self = .recordsModify
    case .lookupRecords: self = .recordsLookup
    case .queryRecords: self = .recordsQueryBatch
    case .createUploads: self = .assetsUpload
    case .rereferenceAssets: self = .assetsRereference
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
