import ZoneKitRecords

/// Evaluates one request. It reads only a working set and writes nothing. The same working set, request and random
/// numbers give the same outcome.
struct Evaluation {
  /// Reads from the working set and records the places on which the answer depends.
  var reader: NotingReader
  let database: DatabaseID
  let caller: Caller
  let now: WallTime
  let limits: Limits
  /// The rules that are strict.
  let policy: CloudPolicy
  /// The subscriptions that are too new to fire.
  let index: SubscriptionIndex
  /// The size of a page of a zone's feed in bytes.
  let pageSize: Int

  /// The most items in one request (CloudKit Web Services, g).
  static var itemLimit: Int { ModifyRecords.operationLimit }

  /// The answer to a request, and its changes.
  mutating func outcome(
    of request: CloudRequest, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    try checkCaller()
    return switch request {
    case .listZones: try listZones()
    case .lookupZones(let ids): try lookUpZones(ids)
    case .modifyZones(let operations): try modifyZones(operations, using: &generator)
    case .modifyRecords(let batch): try modifyRecords(batch, using: &generator)
    case .lookupRecords(let zoneID, let names): try lookUpRecords(names, in: zoneID)
    case .queryRecords(let queries): try queryRecords(queries)
    case .createUploads(let zoneID, let uploads): try createUploads(uploads, in: zoneID, using: &generator)
    case .rereferenceAssets(let zoneID, let places): try rereferenceAssets(places, in: zoneID)
    case .fetchDatabaseChanges(let token, let limit):
      try fetchDatabaseChanges(since: token, limit: limit, using: &generator)
    case .fetchZoneChanges(let queries): try fetchZoneChanges(queries)
    case .listSubscriptions: try listSubscriptions()
    case .lookupSubscriptions(let ids): try lookUpSubscriptions(ids)
    case .modifySubscriptions(let operations): try modifySubscriptions(operations, using: &generator)
    case .fetchUsers(let query): try fetchUsers(query)
    case .resolveShares(let requests): try resolveShares(requests)
    case .acceptShares(let requests): try acceptShares(requests, using: &generator)
    case .createPushToken(let environment): try createPushToken(environment: environment, using: &generator)
    case .registerPushToken(let registration): try registerPushToken(registration)
    }
  }

  /// Checks that the caller may use the database: a private or shared one belongs to one user.
  func checkCaller() throws(EvaluationFailure) {
    guard database.scope == .public || database.user == caller.user else {
      throw .refused(.permissionFailure, "the \(database.scope) database of \(database.user) is not \(caller.user)'s")
    }
  }

  /// Refuses a request with too many items.
  func checkCount(_ count: Int, of what: String) throws(EvaluationFailure) {
    guard count <= Self.itemLimit else {
      throw .refused(.invalidArguments, "\(count) \(what) in one request, at most \(Self.itemLimit) are allowed")
    }
  }

  /// The key of the zone of that name in this database.
  func key(_ name: Name) -> ZoneKey { ZoneKey(database: database, zoneName: name) }

  /// The zone of that name. Throws `zoneNotFound`, or `userDeletedZone` if it was purged. The default zone always
  /// exists, except in a shared database.
  mutating func liveZone(_ id: ZoneID) throws(EvaluationFailure) -> LiveZone {
    if database.scope == .shared { return try sharedZone(id) }
    guard caller.owns(id) else { throw zoneNotFound(id) }
    let key = key(id.zoneName)
    if id.zoneName.isDefaultZone { return LiveZone(key: key, header: try reader.zone(key)) }
    guard database.scope == .private, let header = try reader.zone(key) else { throw zoneNotFound(id) }
    switch header.deletion {
    case nil: return LiveZone(key: key, header: header)
    case .purged:
      var error = CloudError(.userDeletedZone, "zone \(id.zoneName) was purged by the user")
      error.ending = ZoneEnding(.purged, at: header.lastCommitAt)
      throw .refused(error)
    case .encryptedDataReset:
      throw .refused(.zoneNotFound, "zone \(id.zoneName) is gone: the keys of its encrypted data were reset")
    case .deleted, .lost: throw zoneNotFound(id)
    }
  }

  /// The error for a zone that does not exist.
  func zoneNotFound(_ id: ZoneID) -> EvaluationFailure {
    .refused(
      .zoneNotFound,
      "zone \(id.zoneName) of owner \(id.owner.recordName) does not exist in the \(database.scope) database of \(caller.user)"
    )
  }

  /// The error for a request that databases of this scope do not support.
  func notApplicable(_ endpoint: String) -> EvaluationFailure {
    .refused(.invalidArguments, "\(endpoint) is not applicable in the database type '\(database.scope)db'")
  }
}

extension Caller {
  /// Whether the caller owns a zone, by placeholder or by user record name (CloudKit Web Services, b.1).
  func owns(_ id: ZoneID) -> Bool { id.owner.resolved(for: userRecordName) == .caller }
}
