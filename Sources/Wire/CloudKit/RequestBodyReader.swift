import Records

/// Reads the body of each endpoint (CloudKit Web Services, a.1). Errors name the member that is wrong.
struct RequestBodyReader {
  let json: JSON
  let deviceID: String?

  func request(for endpoint: Endpoint) throws(RequestFailure) -> CloudRequest {
    switch endpoint {
    case .zonesList: .listZones
    case .zonesLookup: .lookupZones(try zoneIDs())
    case .zonesModify: .modifyZones(try zoneOperations())
    case .recordsModify: .modifyRecords(try RecordOperationsReader(json: json).request())
    case .recordsLookup: try recordLookup()
    case .changesDatabase: .fetchDatabaseChanges(since: try token(in: json, at: ""), limit: try limit(in: json, at: ""))
    case .changesZone: .fetchZoneChanges(try zoneQueries())
    case .subscriptionsList: .listSubscriptions
    case .subscriptionsLookup: .lookupSubscriptions(try subscriptionIDs())
    case .subscriptionsModify: .modifySubscriptions(try subscriptionOperations())
    case .tokensCreate: .createPushToken(environment: try pushEnvironment())
    case .tokensRegister:
      .registerPushToken(
        PushRegistration(
          token: try json.requiredString("apnsToken"), environment: try pushEnvironment(), deviceID: deviceID))
    }
  }

  func shape(for endpoint: Endpoint) throws(RequestFailure) -> ResponseShape {
    let items: String? =
      switch endpoint {
      case .recordsModify: "operations"
      case .recordsLookup: "records"
      case .changesZone: "zones"
      default: nil
      }
    var shape = ResponseShape(numbersAsStrings: numbersAsStrings(json))
    shape.defaultDesiredKeys = try names("desiredKeys", in: json)
    guard let items, let elements = json[items]?.array else { return shape }
    for element in elements {
      shape.desiredKeys.append(try names("desiredKeys", in: element))
      shape.numbersAsStrings = shape.numbersAsStrings || numbersAsStrings(element)
    }
    return shape
  }

  /// The changes/zone page spells it differently from the others (CloudKit Web Services, c.4).
  private func numbersAsStrings(_ json: JSON) -> Bool {
    (json["numbersAsStrings"] ?? json["numberAsStrings"])?.bool ?? false
  }

  private func zoneIDs() throws(RequestFailure) -> [ZoneID] {
    try json.requiredArray("zones").mapNumbered("zones") { (json, place) throws(RequestFailure) in
      guard let zoneID = ZoneID(json["zoneID"] ?? json) else { throw .badZoneID(place) }
      return zoneID
    }
  }

  private func zoneOperations() throws(RequestFailure) -> [ZoneOperation] {
    try json.requiredArray("operations").mapNumbered("operations") { (json, place) throws(RequestFailure) in
      guard let zone = json["zone"], let zoneID = ZoneID(zone["zoneID"] ?? zone) else {
        throw .badZoneID("\(place).zone")
      }
      switch json["operationType"]?.string {
      case "create": return .create(zoneID)
      case "delete": return .delete(zoneID)
      default: throw .badRequest("\(place).operationType must be create or delete")
      }
    }
  }

  private func recordLookup() throws(RequestFailure) -> CloudRequest {
    let names = try json.requiredArray("records").mapNumbered("records") { (json, place) throws(RequestFailure) in
      guard let name = (json["recordName"] ?? json).string else {
        throw .badRequest("\(place).recordName must be a string")
      }
      return Name(name)
    }
    return .lookupRecords(zoneID: try json.zoneID(), recordNames: names)
  }

  private func zoneQueries() throws(RequestFailure) -> [ZoneChangesQuery] {
    let defaultTypes = try names("desiredRecordTypes", in: json)
    let defaultLimit = try limit(in: json, at: "")
    return try json.requiredArray("zones").mapNumbered("zones") { (zone, place) throws(RequestFailure) in
      guard let id = zone["zoneID"], let zoneID = ZoneID(id) else { throw .badZoneID("\(place).zoneID") }
      return ZoneChangesQuery(
        zoneID: zoneID, token: try token(in: zone, at: "\(place)."),
        limit: zone["resultsLimit"] == nil ? defaultLimit : try limit(in: zone, at: "\(place)."),
        isReversed: (zone["reverse"] ?? json["reverse"])?.bool ?? false,
        recordTypes: try names("desiredRecordTypes", in: zone) ?? defaultTypes)
    }
  }

  private func subscriptionIDs() throws(RequestFailure) -> [String] {
    try json.requiredArray("subscriptions").mapNumbered("subscriptions") { (json, place) throws(RequestFailure) in
      guard let id = (json["subscriptionID"] ?? json).string else {
        throw .badRequest("\(place).subscriptionID must be a string")
      }
      return id
    }
  }

  private func subscriptionOperations() throws(RequestFailure) -> [SubscriptionOperation] {
    try json.requiredArray("operations").mapNumbered("operations") { (json, place) throws(RequestFailure) in
      try SubscriptionCodec.operation(json, at: place)
    }
  }

  /// A token of "" counts as none (CloudKit Web Services, c.6).
  private func token(in json: JSON, at place: String) throws(RequestFailure) -> ChangeToken? {
    switch json["syncToken"] {
    case nil, .null: nil
    case .string(let text): text.isEmpty ? nil : ChangeToken(text)
    default: throw .badRequest("\(place)syncToken must be a string")
    }
  }

  private func limit(in json: JSON, at place: String) throws(RequestFailure) -> Int {
    switch json["resultsLimit"] {
    case nil, .null: return ZoneChangesQuery.pageLimit
    case .integer(let limit) where limit > 0: return Int(min(limit, Int64(ZoneChangesQuery.pageLimit)))
    default: throw .badRequest("\(place)resultsLimit must be a number above 0")
    }
  }

  private func names(_ key: String, in json: JSON) throws(RequestFailure) -> [Name]? {
    switch json[key] {
    case nil, .null: nil
    case .array(let elements):
      try elements.mapNumbered(key) { (json, place) throws(RequestFailure) in
        guard let text = json.string else { throw .badRequest("\(place) must be a string") }
        return Name(text)
      }
    default: throw .badRequest("\(key) must be an array of strings")
    }
  }

  private func pushEnvironment() throws(RequestFailure) -> String {
    let environment = try json.requiredString("apnsEnvironment")
    guard environment == "development" || environment == "production" else {
      throw .badRequest("apnsEnvironment must be development or production")
    }
    return environment
  }
}

extension RequestFailure {
  /// What is said of something that should be a zone ID.
  static func badZoneID(_ place: String) -> RequestFailure {
    .badRequest("\(place) must be a zone ID such as {\"zoneName\":\"Notes\"}")
  }
}
