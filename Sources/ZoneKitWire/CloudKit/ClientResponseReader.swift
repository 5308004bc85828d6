import ZoneKitRecords

/// Reads the cloud's answer to a device's request. An answer that cannot be read becomes a `CloudError`.
package struct ClientResponseReader {
  /// The caller's user record name. The cloud uses it as the owner of the caller's zones.
  private let ownName: Name

  /// The answer to `request`, from an HTTP status and body. Zones of the caller have the owner `ZoneOwner.caller`, as
  /// a device keys them; lists are as long as what was asked for.
  package static func read(
    status: Int, body: [UInt8], to request: CloudRequest, as caller: Caller
  ) -> CloudResponse {
    let json: JSON
    do {
      json = try JSON(parsing: body)
    } catch {
      return unreadable("HTTP \(status) with a body that is not JSON: \(error)", status: status)
    }
    let reader = ClientResponseReader(ownName: caller.userRecordName)
    if let failure = reader.atomicFailure(json, status: status, to: request) { return failure }
    if let error = ErrorCodec.read(json) { return .failure(error) }
    guard status == 200 else { return unreadable("HTTP \(status) without a serverErrorCode", status: status) }
    guard let response = reader.success(json, to: request) else {
      return unreadable("it lacks the members of an answer to this request")
    }
    guard request.kind.hasItems else { return response }
    let asked = RequestTraits(request).items.count
    guard response.itemCount == asked else {
      return unreadable("it has \(response.itemCount ?? 0) items for \(asked) that were asked for")
    }
    return response
  }

  /// The error for an answer without CloudKit's form, for example of a proxy. The status determines whether the device
  /// tries again.
  private static func unreadable(_ reason: String, status: Int = 200) -> CloudResponse {
    let code: CloudErrorCode =
      switch status {
      case 429: .requestRateLimited
      case 502, 503, 504: .serviceUnavailable
      default: .internalError
      }
    return .failure(CloudError(code, "the server's answer cannot be read: \(reason)"))
  }

  /// The live service reports this failure by status 400 and items alone; the documentation has a top-level error
  /// (CloudKit Web Services, c.2).
  private func atomicFailure(_ json: JSON, status: Int, to request: CloudRequest) -> CloudResponse? {
    guard let batch = request.batch, status == WebErrorCode.atomicError.status,
      let items = json["records"]?.array, items.count == batch.operations.count
    else { return nil }
    let code = ErrorCodec.read(json)?.code
    guard code == nil || code == .batchRequestFailed else { return nil }
    return .atomicFailure(items.map(RecordReader.result))
  }

  private func success(_ json: JSON, to request: CloudRequest) -> CloudResponse? {
    switch request {
    case .listZones, .lookupZones, .modifyZones:
      json["zones"]?.array.map { .zones($0.map(zone)) }
    case .modifyRecords, .lookupRecords:
      json["records"]?.array.map { .records($0.map(RecordReader.result)) }
    case .queryRecords: json["batch"]?.array.map { .queries($0.map(queryResult)) }
    case .createUploads: uploads(json)
    case .rereferenceAssets: json["assets"]?.array.map { .assets($0.map(asset)) }
    case .fetchDatabaseChanges: databaseChanges(json)
    case .fetchZoneChanges: json["zones"]?.array.map { .zoneChanges($0.map(zoneChanges)) }
    case .listSubscriptions, .lookupSubscriptions, .modifySubscriptions:
      json["subscriptions"]?.array.map { .subscriptions($0.map(subscription)) }
    case .fetchUsers(let query): users(json, to: query)
    case .resolveShares(let requests), .acceptShares(let requests): shares(json, to: requests)
    case .createPushToken, .registerPushToken: pushToken(json)
    }
  }

  // MARK: Zones

  private func zoneID(_ json: JSON) -> ZoneID {
    (json["zoneID"].flatMap { ZoneID($0) } ?? .defaultZone).resolved(for: ownName)
  }

  private func zone(_ json: JSON) -> ZoneResult {
    if let error = ErrorCodec.read(json) { return .failed(zoneID(json), error) }
    if json["deleted"]?.bool == true { return .deleted(zoneID(json)) }
    return .zone(
      Zone(
        zoneID: zoneID(json), token: json["syncToken"]?.string.map { ChangeToken($0) },
        isAtomic: json["atomic"]?.bool ?? false))
  }

  private func databaseChanges(_ json: JSON) -> CloudResponse? {
    guard let zones = json["zones"]?.array, let token = json["syncToken"]?.string,
      let moreComing = json["moreComing"]?.bool
    else { return nil }
    let changed = zones.map { zone -> ChangedZone in
      if zone["deleted"]?.bool == true {
        return .deleted(zoneID(zone), ErrorCodec.ending(zone) ?? ZoneEnding(.deleted))
      }
      return .changed(zoneID(zone), token: ChangeToken(zone["syncToken"]?.string ?? ""))
    }
    return .databaseChanges(
      DatabaseChanges(zones: changed, token: ChangeToken(token), moreComing: moreComing))
  }

  /// Reads a page of changes. If one record cannot be read, the whole page fails: a device that took the others and the
  /// token would never get that record.
  private func zoneChanges(_ json: JSON) -> ZoneChangesResult {
    let zoneID = zoneID(json)
    if let error = ErrorCodec.read(json) { return .failed(zoneID, error) }
    guard let records = json["records"]?.array, let token = json["syncToken"]?.string,
      let moreComing = json["moreComing"]?.bool
    else {
      return .failed(zoneID, CloudError(.internalError, "the server's page lacks records, syncToken or moreComing"))
    }
    var page = RecordPage()
    for item in records {
      switch RecordReader.change(item) {
      case .success(let change): page.append(change)
      case .failure(let error): return .failed(zoneID, error)
      }
    }
    return .changes(
      ZoneChanges(zoneID: zoneID, page: page, token: ChangeToken(token), moreComing: moreComing))
  }

  /// Records that follow each other in one zone are a run.
  private func queryResult(_ json: JSON) -> QueryResult {
    if let error = ErrorCodec.read(json) { return .failed(error) }
    guard let items = json["records"]?.array else {
      return .failed(CloudError(.internalError, "the server's page of a query lacks records"))
    }
    var runs: [QueriedRecords.Run] = []
    for item in items {
      let zoneID = zoneID(item)
      switch RecordReader.change(item) {
      case .success(let change):
        if runs.last?.zoneID != zoneID { runs.append(QueriedRecords.Run(zoneID: zoneID, page: RecordPage())) }
        runs[runs.count - 1].page.append(change)
      case .failure(let error): return .failed(error)
      }
    }
    return .records(
      QueriedRecords(
        runs: runs, marker: json["continuationMarker"]?.string,
        token: json["syncToken"]?.string.map { ChangeToken($0) }))
  }

  private func shares(_ json: JSON, to requests: [ShareRequest]) -> CloudResponse? {
    guard let items = json["results"]?.array, items.count == requests.count else { return nil }
    return .shares(zip(items, requests).map { ShareCodec.result($0, to: $1, ownName: ownName) })
  }

  // MARK: Assets

  /// The token is the last segment of the URL.
  private func uploads(_ json: JSON) -> CloudResponse? {
    guard let items = json["tokens"]?.array else { return nil }
    let tokens = items.compactMap { item -> AssetUploadToken? in
      guard let record = item["recordName"]?.string, let field = item["fieldName"]?.string,
        let token = item["url"]?.string?.split(separator: "/").last
      else { return nil }
      return AssetUploadToken(recordName: Name(record), fieldName: Name(field), token: String(token))
    }
    return tokens.count == items.count ? .uploads(tokens) : nil
  }

  private func asset(_ json: JSON) -> AssetResult {
    if case .asset(let asset)? = FieldValue(json, as: .asset) { return .asset(asset) }
    let place = AssetPlace(
      recordName: Name(json["recordName"]?.string ?? ""), fieldName: Name(json["fieldName"]?.string ?? ""))
    return .failed(place, ErrorCodec.read(json) ?? CloudError(.internalError, "the server's asset lacks fileChecksum"))
  }

  // MARK: Subscriptions, users and tokens

  private func users(_ json: JSON, to query: UserQuery) -> CloudResponse? {
    if case .caller = query { return UserCodec.result(json, to: nil).map { .users([$0]) } }
    guard let items = json["users"]?.array else { return nil }
    // Each lookup has an answer at its place; of discoveries those without one are missing.
    let lookups: [UserLookup?] = if case .lookup(let lookups) = query { lookups } else { items.map { _ in nil } }
    let users = zip(items, lookups).compactMap { UserCodec.result($0, to: $1) }
    return users.count == items.count && items.count == lookups.count ? .users(users) : nil
  }

  private func subscription(_ json: JSON) -> SubscriptionResult {
    let id = json["subscriptionID"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    if let error = ErrorCodec.read(json) { return .failed(id, error) }
    if json["deleted"]?.bool == true, let id { return .deleted(id) }
    do {
      var subscription = try SubscriptionReader.subscription(json)
      subscription.kind = subscription.kind.resolved(for: ownName)
      return json["replaced"]?.bool == true ? .replaced(subscription) : .subscription(subscription)
    } catch {
      return .failed(id, error)
    }
  }

  private func pushToken(_ json: JSON) -> CloudResponse? {
    guard let environment = json["apnsEnvironment"]?.string.flatMap(Environment.init(rawValue:)),
      let token = json["apnsToken"]?.string
    else { return nil }
    return .pushToken(environment: environment, token: token)
  }
}

extension Subscription.Kind {
  /// The same kind, whose zone has the owner `caller` if it belongs to that user.
  fileprivate func resolved(for userRecordName: Name) -> Subscription.Kind {
    switch self {
    case .zone(let zoneID): return .zone(zoneID.resolved(for: userRecordName))
    case .database: return .database
    case .query(var query):
      query.zoneID = query.zoneID?.resolved(for: userRecordName)
      return .query(query)
    }
  }
}

extension CloudResponse {
  /// The number of items; nil if the answer is not a list of them.
  fileprivate var itemCount: Int? {
    switch self {
    case .zones(let items): items.count
    case .records(let items), .atomicFailure(let items): items.count
    case .queries(let items): items.count
    case .zoneChanges(let items): items.count
    case .subscriptions(let items): items.count
    case .shares(let items): items.count
    case .uploads, .assets, .databaseChanges, .pushToken, .failure, .users: nil
    }
  }
}
