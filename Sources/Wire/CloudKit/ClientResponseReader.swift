import Records

/// Reads what the cloud answered to a device's request. Total: an answer that is not one becomes a `CloudError`.
package enum ClientResponseReader {
  /// The answer to `request`, from an HTTP status and body.
  package static func read(status: Int, body: [UInt8], to request: CloudRequest) -> CloudResponse {
    let json: JSON
    do {
      json = try JSON(parsing: body)
    } catch {
      return unreadable("HTTP \(status) with a body that is not JSON: \(error)")
    }
    if let items = json["records"]?.array, ErrorCodec.read(json)?.code == .batchRequestFailed {
      return .atomicFailure(items.map(record))
    }
    if let error = ErrorCodec.read(json) { return .failure(error) }
    guard status == 200 else { return unreadable("HTTP \(status) without a serverErrorCode") }
    return success(json, to: request)
  }

  private static func unreadable(_ reason: String) -> CloudResponse {
    .failure(CloudError(.internalError, "the server's answer cannot be read: \(reason)"))
  }

  private static func success(_ json: JSON, to request: CloudRequest) -> CloudResponse {
    switch request {
    case .listZones, .lookupZones, .modifyZones:
      list("zones", in: json, zone).map(CloudResponse.zones) ?? missing("zones")
    case .modifyRecords, .lookupRecords:
      list("records", in: json, record).map(CloudResponse.records) ?? missing("records")
    case .fetchDatabaseChanges: databaseChanges(json) ?? missing("zones or syncToken")
    case .fetchZoneChanges:
      list("zones", in: json, zoneChanges).map(CloudResponse.zoneChanges) ?? missing("zones")
    case .listSubscriptions, .lookupSubscriptions, .modifySubscriptions:
      list("subscriptions", in: json, subscription).map(CloudResponse.subscriptions) ?? missing("subscriptions")
    case .createPushToken, .registerPushToken: pushToken(json) ?? missing("apnsToken")
    }
  }

  private static func missing(_ what: String) -> CloudResponse { unreadable("it lacks \(what)") }

  private static func list<Item>(_ key: String, in json: JSON, _ read: (JSON) -> Item) -> [Item]? {
    json[key]?.array?.map(read)
  }

  private static func zoneID(_ json: JSON) -> ZoneID { json["zoneID"].flatMap { ZoneID($0) } ?? .defaultZone }

  private static func zone(_ json: JSON) -> ZoneResult {
    if let error = ErrorCodec.read(json) { return .failed(zoneID(json), error) }
    if json["deleted"]?.bool == true { return .deleted(zoneID(json)) }
    return .zone(
      Zone(
        zoneID: zoneID(json), token: json["syncToken"]?.string.map { ChangeToken($0) },
        isAtomic: json["atomic"]?.bool ?? false))
  }

  private static func databaseChanges(_ json: JSON) -> CloudResponse? {
    guard let zones = json["zones"]?.array, let token = json["syncToken"]?.string else { return nil }
    let changed = zones.map { zone -> ChangedZone in
      if zone["deleted"]?.bool == true { return .deleted(zoneID(zone)) }
      return .changed(zoneID(zone), token: ChangeToken(zone["syncToken"]?.string ?? ""))
    }
    return .databaseChanges(
      DatabaseChanges(zones: changed, token: ChangeToken(token), moreComing: json["moreComing"]?.bool ?? false))
  }

  private static func zoneChanges(_ json: JSON) -> ZoneChangesResult {
    let zoneID = zoneID(json)
    if let error = ErrorCodec.read(json) { return .failed(zoneID, error) }
    guard let records = json["records"]?.array, let token = json["syncToken"]?.string else {
      return .failed(zoneID, CloudError(.internalError, "the server's page lacks records or syncToken"))
    }
    var page = RecordPage()
    for item in records {
      switch record(item) {
      case .record(let record): page.append(.saved(record))
      case .deleted(let name):
        page.append(.deleted(recordName: name, changeTag: ChangeTag(item["recordChangeTag"]?.string ?? "")))
      case .failed(_, let error): return .failed(zoneID, error)
      }
    }
    return .changes(
      ZoneChanges(
        zoneID: zoneID, page: page, token: ChangeToken(token), moreComing: json["moreComing"]?.bool ?? false))
  }

  private static func record(_ json: JSON) -> RecordResult {
    let name = json["recordName"]?.string.map { Name($0) }
    if let error = ErrorCodec.read(json) { return .failed(name, error) }
    guard let name else { return .failed(nil, CloudError(.internalError, "the server's record lacks recordName")) }
    if json["deleted"]?.bool == true { return .deleted(name) }
    guard let type = json["recordType"]?.string, let tag = json["recordChangeTag"]?.string,
      let fields = fields(json["fields"] ?? [:])
    else { return .failed(name, CloudError(.internalError, "the server's record \(name) cannot be read")) }
    return .record(
      Record(
        recordName: name, recordType: Name(type), fields: fields, changeTag: ChangeTag(tag),
        created: authorship(json["created"]), modified: authorship(json["modified"]),
        parent: json["parent"]?["recordName"]?.string.map { Name($0) }))
  }

  private static func fields(_ json: JSON) -> EncodedFields? {
    guard let members = json.object else { return nil }
    var fields = Fields()
    for member in members {
      guard case .set(let value, _, let isEncrypted) = FieldReader.change(member.value) else { return nil }
      fields.set(Field(name: Name(member.key), value: value, isEncrypted: isEncrypted))
    }
    return EncodedFields(fields)
  }

  private static func authorship(_ json: JSON?) -> Authorship {
    Authorship(
      at: WallTime(milliseconds: json?["timestamp"]?.integer ?? 0),
      author: Author(
        userRecordName: Name(json?["userRecordName"]?.string ?? ""),
        deviceID: json?["deviceID"]?.string ?? Author.unnamedDevice))
  }

  private static func subscription(_ json: JSON) -> SubscriptionResult {
    let id = json["subscriptionID"]?.string
    if let error = ErrorCodec.read(json) { return .failed(id, error) }
    if json["deleted"]?.bool == true, let id { return .deleted(id) }
    do {
      return .subscription(try SubscriptionCodec.subscription(json))
    } catch {
      return .failed(id, error)
    }
  }

  private static func pushToken(_ json: JSON) -> CloudResponse? {
    guard let environment = json["apnsEnvironment"]?.string, let token = json["apnsToken"]?.string else { return nil }
    return .pushToken(environment: environment, token: token)
  }
}
