import ZoneKitRecords

extension ClientRequest {
  /// A request of CloudKit Web Services for that account and device. Without a web token the account signs in by its name,
  /// which open servers take. The method is POST, which the lists accept too.
  package init(
    _ request: CloudRequest, to database: DatabaseID, apiToken: String, webAuthToken: String? = nil, caller: Caller
  ) {
    let endpoint = Endpoint(request)
    let place = "\(HTTPPercent.encode(database.container.text))/\(database.environment.rawValue)"
    var query = "ckAPIToken=\(HTTPPercent.encode(apiToken))"
    query += "&ckWebAuthToken=\(HTTPPercent.encode(webAuthToken ?? Authentication.userPrefix + caller.user.text))"
    if let deviceID = caller.deviceID { query += "&clientId=\(HTTPPercent.encode(deviceID))" }
    let path =
      endpoint.isAboutTokens
      ? "/device/1/\(place)/\(endpoint.rawValue)"
      : "/database/1/\(place)/\(database.scope.rawValue)/\(endpoint.rawValue)"
    self.init("POST", "\(path)?\(query)", body: ClientBodyWriter.body(of: request))
  }
}

extension Endpoint {
  /// The endpoint for a request. Users are looked up all by e-mail address or all by record name.
  init(_ request: CloudRequest) {
    switch request {
    case .listZones: self = .zonesList
    case .lookupZones: self = .zonesLookup
    case .modifyZones: self = .zonesModify
    case .modifyRecords: self = .recordsModify
    case .lookupRecords: self = .recordsLookup
    case .queryRecords: self = .recordsQueryBatch
    case .createUploads: self = .assetsUpload
    case .rereferenceAssets: self = .assetsRereference
    case .fetchDatabaseChanges: self = .changesDatabase
    case .fetchZoneChanges: self = .changesZone
    case .listSubscriptions: self = .subscriptionsList
    case .lookupSubscriptions: self = .subscriptionsLookup
    case .modifySubscriptions: self = .subscriptionsModify
    case .fetchUsers(.caller): self = .usersCaller
    case .fetchUsers(.discover): self = .usersDiscover
    case .fetchUsers(.lookup(let lookups)):
      if case .emailAddress = lookups.first { self = .usersLookupEmail } else { self = .usersLookupID }
    case .resolveShares: self = .recordsResolve
    case .acceptShares: self = .recordsAccept
    case .createPushToken: self = .tokensCreate
    case .registerPushToken: self = .tokensRegister
    }
  }
}
