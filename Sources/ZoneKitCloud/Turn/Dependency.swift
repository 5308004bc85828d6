import ZoneKitRecords

/// A place whose staged state a request has read or written: if the commit fails there, the request's answer is void.
enum Dependency: Hashable {
  case zone(ZoneKey)
  /// The list of the database's zones, hence each of them.
  case zones(of: DatabaseID)
  case database(DatabaseID)

  /// Whether a failure at that place voids what was read or written here.
  func includes(_ place: CommitFailure.Place) -> Bool {
    switch (self, place) {
    case (.zone(let key), .zone(let failed)): key == failed
    case (.zones(of: let database), .zone(let failed)): database == failed.database
    case (.database(let database), .database(let failed)): database == failed
    case (.zone, .database), (.zones, .database), (.database, .zone): false
    }
  }

  /// The places that a request depends on, whatever comes of it.
  static func all(of request: CloudRequest, in database: DatabaseID, from caller: Caller) -> [Dependency] {
    func zone(_ id: ZoneID) -> Dependency { .zone(ZoneKey(database: database, zoneName: id.zoneName)) }
    return switch request {
    case .listZones: [.zones(of: database)]
    case .lookupZones(let ids): ids.map(zone)
    case .modifyZones(let operations): operations.map { zone($0.zoneID) }
    case .modifyRecords(let batch): [zone(batch.zoneID)]
    case .lookupRecords(let id, _): [zone(id)]
    case .fetchDatabaseChanges: [.zones(of: database), .database(database)]
    case .fetchZoneChanges(let queries): queries.map { zone($0.zoneID) }
    case .listSubscriptions, .lookupSubscriptions: [.database(database)]
    case .modifySubscriptions: [.zones(of: database), .database(database)]
    case .createPushToken: []
    case .registerPushToken: [.database(database.account(of: caller))]
    }
  }
}

extension Administration {
  /// The places whose state the deed reads or changes.
  func dependencies(in database: DatabaseID) -> [Dependency] {
    switch self {
    case .eraseRecords(let id), .purgeZone(let id), .resetEncryptedData(let id), .loseZone(let id),
      .expireZoneTokens(let id), .purgeTombstones(let id, _):
      [.zone(ZoneKey(database: database, zoneName: id.zoneName))]
    case .expireDatabaseTokens, .dropSubscription, .muteSubscription, .endPushToken: [.database(database)]
    }
  }
}

extension ZoneOperation {
  /// The zone that the operation is about.
  var zoneID: ZoneID {
    switch self {
    case .create(let id), .delete(let id): id
    }
  }
}

extension DatabaseID {
  /// The database that keeps the caller's push registrations: the private one, whichever the request came in for.
  func account(of caller: Caller) -> DatabaseID {
    DatabaseID(container: container, environment: environment, user: caller.user, scope: .private)
  }
}
