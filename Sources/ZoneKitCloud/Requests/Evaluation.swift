import ZoneKitRecords

/// Works out what a request comes to, and writes nothing.
struct Evaluation<Store: ZoneStore> {
  let store: StoreReader<Store>
  let database: DatabaseID
  let caller: Caller
  let now: WallTime
  let limits: Limits
  /// The subscriptions that changes do not fire yet.
  let index: SubscriptionIndex

  /// The most items that one request may name (CloudKit Web Services, g).
  static var itemLimit: Int { ModifyRecords.operationLimit }

  func outcome(
    of request: CloudRequest, using generator: inout some RandomNumberGenerator
  ) throws(CloudError) -> Outcome {
    try checkCaller()
    return switch request {
    case .listZones: try listZones()
    case .lookupZones(let ids): try lookUpZones(ids)
    case .modifyZones(let operations): try modifyZones(operations, using: &generator)
    case .modifyRecords(let batch): try modifyRecords(batch, using: &generator)
    case .lookupRecords(let zoneID, let names): try lookUpRecords(names, in: zoneID)
    case .fetchDatabaseChanges(let token, let limit):
      try fetchDatabaseChanges(since: token, limit: limit, using: &generator)
    case .fetchZoneChanges(let queries): try fetchZoneChanges(queries)
    case .listSubscriptions: try listSubscriptions()
    case .lookupSubscriptions(let ids): try lookUpSubscriptions(ids)
    case .modifySubscriptions(let operations): try modifySubscriptions(operations, using: &generator)
    case .createPushToken(let environment): try createPushToken(environment: environment, using: &generator)
    case .registerPushToken(let registration): try registerPushToken(registration)
    }
  }

  /// A private or shared database is its user's alone.
  func checkCaller() throws(CloudError) {
    guard database.scope == .public || database.user == caller.user else {
      throw CloudError(.permissionFailure, "the \(database.scope) database of \(database.user) is not \(caller.user)'s")
    }
  }

  func checkCount(_ count: Int, of what: String) throws(CloudError) {
    guard count <= Self.itemLimit else {
      throw CloudError(.invalidArguments, "\(count) \(what) in one request, at most \(Self.itemLimit) are allowed")
    }
  }

  /// How the caller is told of a zone: with its owner's user record name (CloudKit Web Services, b.1).
  func zoneID(_ name: Name) -> ZoneID { ZoneID(zoneName: name, ownerName: caller.userRecordName) }

  func key(_ name: Name) -> ZoneKey { ZoneKey(database: database, zoneName: name) }

  /// Whether a zone's owner is the caller, by any of the spellings (CloudKit Web Services, b.1).
  func isOwn(_ id: ZoneID) -> Bool {
    id.ownerName == ZoneID.defaultOwner || id.ownerName == "__defaultOwner__" || id.ownerName == caller.userRecordName
  }

  /// The zone of that name, or `zoneNotFound`, or `userDeletedZone` where it was purged. The default zone is always there, except in a shared database.
  func liveZone(_ id: ZoneID) throws(CloudError) -> LiveZone {
    guard isOwn(id), database.scope != .shared else { throw zoneNotFound(id) }
    let key = key(id.zoneName)
    if id.zoneName.isDefaultZone { return LiveZone(key: key, header: try store.zone(key)) }
    guard database.scope == .private, let header = try store.zone(key) else { throw zoneNotFound(id) }
    switch header.deletion {
    case nil: return LiveZone(key: key, header: header)
    case .purged: throw CloudError(.userDeletedZone, "zone \(id.zoneName) was purged by the user")
    case .encryptedDataReset:
      throw CloudError(.zoneNotFound, "zone \(id.zoneName) is gone: the keys of its encrypted data were reset")
    case .deleted, .lost: throw zoneNotFound(id)
    }
  }

  func zoneNotFound(_ id: ZoneID) -> CloudError {
    CloudError(
      .zoneNotFound,
      "zone \(id.zoneName) of owner \(id.ownerName) does not exist in the \(database.scope) database of \(caller.user)")
  }

  /// What is said to those who ask a database for what only others have.
  func notApplicable(_ endpoint: String) -> CloudError {
    CloudError(.invalidArguments, "\(endpoint) is not applicable in the database type '\(database.scope)db'")
  }
}
