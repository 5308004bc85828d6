import ZoneKitRecords

/// Reads the body of each endpoint (CloudKit Web Services, a.1).
struct RequestBodyReader {
  let json: JSON
  /// The method of the request.
  let method: String
  /// The device that sends the request, if the query names it.
  let deviceID: String?

  func request(for endpoint: Endpoint) throws(MemberError) -> CloudRequest {
    switch endpoint {
    case .zonesList: .listZones
    case .zonesLookup: .lookupZones(try zoneIDs())
    case .zonesModify: .modifyZones(try zoneOperations())
    case .recordsModify: .modifyRecords(try RecordOperationsReader(json: json).request())
    case .recordsLookup: try recordLookup()
    case .recordsQuery: .queryRecords([try QueryReader.request(json)])
    case .recordsQueryBatch:
      .queryRecords(try json.requiredArray("batch").mapNumbered("batch", QueryReader.request))
    case .recordsChanges: .fetchZoneChanges([try zoneQuery()])
    case .zonesChanges:
      .fetchDatabaseChanges(since: try metaToken(), limit: try limit(in: json) ?? ZoneChangesQuery.pageLimit)
    case .assetsUpload: try assetUploads()
    case .assetsRereference: try assetPlaces()
    case .changesDatabase:
      .fetchDatabaseChanges(since: try token(in: json), limit: try limit(in: json) ?? ZoneChangesQuery.pageLimit)
    case .changesZone: .fetchZoneChanges(try zoneQueries())
    case .subscriptionsList: .listSubscriptions
    case .subscriptionsLookup: .lookupSubscriptions(try subscriptionIDs())
    case .subscriptionsModify: .modifySubscriptions(try subscriptionOperations())
    case .usersCaller, .usersCurrent: .fetchUsers(.caller)
    // The contacts of a user are not known.
    case .usersLookupContacts: .fetchUsers(.discover([]))
    case .usersDiscover: .fetchUsers(.discover(method == "GET" ? [] : try userLookups("lookupInfos")))
    case .usersLookupEmail: .fetchUsers(.lookup(try userLookups("users", named: "emailAddress") { .emailAddress($0) }))
    case .usersLookupID:
      .fetchUsers(.lookup(try userLookups("users", named: "userRecordName") { .userRecordName(Name($0)) }))
    case .recordsResolve: .resolveShares(try shareRequests())
    case .recordsAccept: .acceptShares(try shareRequests())
    case .tokensCreate: .createPushToken(environment: try pushEnvironment())
    case .tokensRegister: .registerPushToken(try pushRegistration())
    }
  }

  /// The zone IDs are elements of the array, or each is a member `zoneID` of an element.
  private func zoneIDs() throws(MemberError) -> [ZoneID] {
    try json.requiredArray("zones").mapNumbered("zones") { (json) throws(MemberError) in
      guard let zoneID = ZoneID(json.member("zoneID") ?? json) else { throw .notZoneID("") }
      return zoneID
    }
  }

  private func zoneOperations() throws(MemberError) -> [ZoneOperation] {
    try json.requiredArray("operations").mapNumbered("operations") { (json) throws(MemberError) in
      guard let zone = json["zone"], let zoneID = ZoneID(zone.member("zoneID") ?? zone) else {
        throw .notZoneID("zone.zoneID")
      }
      switch json["operationType"]?.string {
      case "create": return .create(zoneID)
      case "delete": return .delete(zoneID)
      default: throw MemberError("operationType", "must be create or delete")
      }
    }
  }

  private func recordLookup() throws(MemberError) -> CloudRequest {
    let names = try json.requiredArray("records").mapNumbered("records") { (json) throws(MemberError) in
      guard let name = (json["recordName"] ?? json).string else { throw MemberError("recordName", "must be a string") }
      return Name(name)
    }
    return .lookupRecords(zoneID: try json.optionalZoneID("zoneID") ?? .defaultZone, recordNames: names)
  }

  private func assetUploads() throws(MemberError) -> CloudRequest {
    let uploads = try json.requiredArray("tokens").mapNumbered("tokens") { (json) throws(MemberError) in
      AssetUpload(
        recordName: try json.optionalString("recordName").map { Name($0) },
        recordType: Name(try json.requiredString("recordType")), fieldName: Name(try json.requiredString("fieldName")))
    }
    return .createUploads(zoneID: try json.optionalZoneID("zoneID") ?? .defaultZone, uploads)
  }

  private func assetPlaces() throws(MemberError) -> CloudRequest {
    let places = try json.requiredArray("assets").mapNumbered("assets") { (json) throws(MemberError) in
      AssetPlace(
        recordName: Name(try json.requiredString("recordName")), fieldName: Name(try json.requiredString("fieldName")))
    }
    return .rereferenceAssets(zoneID: try json.optionalZoneID("zoneID") ?? .defaultZone, places)
  }

  /// Values beside the zones apply to each zone that has none of its own (CloudKit Web Services, a.1 row 6).
  private func zoneQueries() throws(MemberError) -> [ZoneChangesQuery] {
    let types = try names("desiredRecordTypes", in: json)
    let limit = try limit(in: json) ?? ZoneChangesQuery.pageLimit
    let isReversed = try json.optionalBool("reverse") ?? false
    return try json.requiredArray("zones").mapNumbered("zones") { (zone) throws(MemberError) in
      guard let zoneID = try zone.optionalZoneID("zoneID") else { throw .notZoneID("zoneID") }
      return ZoneChangesQuery(
        zoneID: zoneID, token: try token(in: zone), limit: try self.limit(in: zone) ?? limit,
        isReversed: try zone.optionalBool("reverse") ?? isReversed,
        recordTypes: try names("desiredRecordTypes", in: zone) ?? types,
        acknowledged: (try names("acknowledgedChangeTags", in: zone) ?? []).map { ChangeTag($0.text) })
    }
  }

  /// The query of a request about one zone (CloudKit Web Services, a.1 row 4).
  private func zoneQuery() throws(MemberError) -> ZoneChangesQuery {
    ZoneChangesQuery(
      zoneID: try json.optionalZoneID("zoneID") ?? .defaultZone, token: try token(in: json),
      limit: try limit(in: json) ?? ZoneChangesQuery.pageLimit, isReversed: try json.optionalBool("reverse") ?? false,
      recordTypes: try names("desiredRecordTypes", in: json))
  }

  /// One client sends the token under the other name (CloudKit Web Services, i.1).
  private func metaToken() throws(MemberError) -> ChangeToken? {
    for key in ["metaSyncToken", "syncToken"] {
      guard let text = try json.optionalString(key), !text.isEmpty else { continue }
      guard let token = MetaToken.databaseToken(text) else { throw MemberError(key, MetaToken.problem) }
      return token
    }
    return nil
  }

  private func shareRequests() throws(MemberError) -> [ShareRequest] {
    try json.requiredArray("shortGUIDs").mapNumbered("shortGUIDs", ShareCodec.request)
  }

  private func userLookups(_ key: String) throws(MemberError) -> [UserLookup] {
    try json.requiredArray(key).mapNumbered(key, UserCodec.lookup)
  }

  /// The lookups in an array of objects with that member.
  private func userLookups(
    _ key: String, named name: String, _ lookup: (String) -> UserLookup
  ) throws(MemberError) -> [UserLookup] {
    try json.requiredArray(key).mapNumbered(key) { (json) throws(MemberError) in lookup(try json.requiredString(name)) }
  }

  /// Some clients give the ID of a subscription without an object (CloudKit Web Services, a.1 row 12).
  private func subscriptionIDs() throws(MemberError) -> [String] {
    try json.requiredArray("subscriptions").mapNumbered("subscriptions") { (json) throws(MemberError) in
      guard let id = (json["subscriptionID"] ?? json).string else {
        throw MemberError("subscriptionID", "must be a string")
      }
      return id
    }
  }

  private func subscriptionOperations() throws(MemberError) -> [SubscriptionOperation] {
    try json.requiredArray("operations").mapNumbered("operations", SubscriptionReader.operation)
  }

  /// What the token "" means is the cloud's to say (CloudKit Web Services, c.6).
  private func token(in json: JSON) throws(MemberError) -> ChangeToken? {
    try json.optionalString("syncToken").map { ChangeToken($0) }
  }

  private func limit(in json: JSON) throws(MemberError) -> Int? { try json.resultsLimit() }

  private func names(_ key: String, in json: JSON) throws(MemberError) -> [Name]? {
    try json.optionalStrings(key)?.map { Name($0) }
  }

  private func pushRegistration() throws(MemberError) -> PushRegistration {
    PushRegistration(
      token: try json.requiredString("apnsToken"), environment: try pushEnvironment(),
      deviceID: try json.deviceID() ?? deviceID)
  }

  private func pushEnvironment() throws(MemberError) -> Environment {
    guard let environment = Environment(rawValue: try json.requiredString("apnsEnvironment")) else {
      throw MemberError("apnsEnvironment", "must be \(Environment.allNames)")
    }
    return environment
  }
}

extension JSON {
  /// The device ID in the body; nil if there is none.
  func deviceID() throws(MemberError) -> String? {
    guard let id = try optionalString("clientId"), !id.isEmpty else { return nil }
    return id
  }
}
