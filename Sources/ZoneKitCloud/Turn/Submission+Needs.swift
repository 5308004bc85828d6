import ZoneKitRecords

extension Submission.Work {
  /// The needs of the evaluation, as far as they can be predicted from the request.
  func likelyNeeds(in database: DatabaseID, from caller: Caller, pageSize: Int, limits: Limits) -> [Need] {
    let likely = LikelyNeeds(
      database: database, caller: caller, pageSize: pageSize, countsDependents: limits.dependents != nil)
    return switch self {
    case .request(let request): likely.needs(of: request)
    case .administration(let operation): likely.needs(of: operation)
    case .transaction(let transaction): transaction.likelyNeeds
    }
  }
}

/// Predicts what requests to a database will read.
private struct LikelyNeeds {
  let database: DatabaseID
  let caller: Caller
  let pageSize: Int
  /// Whether the number of records that depend on another one is limited.
  let countsDependents: Bool

  private func key(_ id: ZoneID) -> ZoneKey { ZoneKey(database: database, zoneName: id.zoneName) }

  func needs(of request: CloudRequest) -> [Need] {
    let traits = RequestTraits(request)
    // The zones of a shared database are in the databases of their owners.
    if database.scope == .shared { return [] }
    guard traits.items.count <= Evaluation.itemLimit else { return [] }
    let parts = traits.databaseParts.compactMap { part -> Need? in
      switch part {
      case .zoneList: .zones(of: database)
      case .state: .database(database)
      // Registrations are written without reading the existing ones.
      case .account: nil
      }
    }
    let zones = (traits.zonesRead + traits.zonesWritten).map { Need.zone(key($0)) }
    return parts + zones + content(of: request, traits)
  }

  /// The content of zones that is read.
  private func content(of request: CloudRequest, _ traits: RequestTraits) -> [Need] {
    switch request {
    case .modifyRecords(let batch): return needs(of: batch)
    // Nothing has to be read for a request that is refused because it names an item twice.
    case .rereferenceAssets(let zoneID, let places): return [.records(places.map(\.recordName), in: key(zoneID))]
    case .lookupRecords(let zoneID, let names):
      return Set(names).count == names.count ? [.records(names, in: key(zoneID))] : []
    case .queryRecords(let queries):
      return queries.compactMap { query in query.zoneID.map { .schema(of: [query.query.recordType], in: key($0)) } }
    case .fetchZoneChanges(let queries):
      guard Set(queries.map { key($0.zoneID) }).count == queries.count else { return [] }
      let pages = queries.compactMap { query in
        position(query).map { Need.feed(FeedQuery(query, from: $0, pageSize: pageSize), in: key(query.zoneID)) }
      }
      // All pages are read together, because their sizes are limited together.
      return pages.count == queries.count ? pages : []
    case .fetchUsers(let query): return UserDirectory(of: database).needs(of: query.lookups, askedBy: caller)
    case .listZones, .lookupZones, .modifyZones, .createUploads, .fetchDatabaseChanges, .listSubscriptions,
      .lookupSubscriptions, .modifySubscriptions, .createPushToken, .registerPushToken,
      .resolveShares, .acceptShares:
      return []
    }
  }

  /// The position at which a fetch continues, if the zone's header is not needed to determine it.
  private func position(_ query: ZoneChangesQuery) -> FeedToken? {
    let token: FeedToken?
    do {
      token = try FeedToken.read(query.token, as: FeedToken.zoneKinds)
    } catch {
      // The evaluation refuses the token.
      return nil
    }
    return token ?? (query.isReversed ? nil : FeedToken(kind: .zone, identity: 0, position: 0))
  }

  private func needs(of batch: ModifyRecords) -> [Need] {
    let zone = key(batch.zoneID)
    var names: [Name] = []
    var types: [Name] = []
    var deleted: [Name] = []
    var dependents: [Name] = []
    var owners: [Name] = []
    var assets: [String] = []
    for operation in batch.operations {
      if let name = operation.recordName { names.append(name) }
      if let type = operation.recordType, types.last != type, !types.contains(type) { types.append(type) }
      if operation.kind.isDeletion, let name = operation.recordName { deleted.append(name) }
      names += operation.targets(.validate)
      assets += operation.uploadedChecksums
      let targets = operation.targets(.deleteSelf)
      owners += targets
      if !targets.isEmpty, let name = operation.recordName { dependents.append(name) }
    }
    var needs = [Need.records(names, in: zone)]
    if !types.isEmpty { needs.append(.schema(of: types, in: zone)) }
    if !assets.isEmpty { needs.append(.assets(assets, in: zone)) }
    // A record that is saved may be deleted with one to which it refers.
    if !deleted.isEmpty { needs.append(.dependents(of: deleted + dependents, by: .deleteSelf, in: zone)) }
    if countsDependents, !owners.isEmpty { needs.append(.references(to: owners, in: zone)) }
    return needs
  }

  func needs(of operation: Administration) -> [Need] {
    switch operation {
    case .eraseRecords(let id): [.zone(key(id)), .database(database), .feed(.whole, in: key(id))]
    case .purgeTombstones(let id, before: _): [.zone(key(id)), .feed(.tombstones, in: key(id))]
    case .purgeZone(let id), .resetEncryptedData(let id): [.zone(key(id)), .database(database)]
    case .loseZone(let id), .expireZoneTokens(let id): [.zone(key(id))]
    case .dropSubscription, .muteSubscription: [.database(database)]
    case .endPushToken: [.database(database.account(of: caller))]
    case .expireDatabaseTokens: []
    }
  }
}

extension RecordOperation {
  /// The records to which the saved fields refer with that action.
  fileprivate func targets(_ action: Reference.Action) -> [Name] {
    var targets: [Name] = []
    for field in fields {
      guard case .set(let value, isTyped: _, isEncrypted: _) = field.change else { continue }
      for reference in value.references where reference.action == action { targets.append(reference.recordName) }
    }
    return targets
  }
}

extension RecordOperation {
  /// The checksums of the assets for which the saved fields have receipts.
  fileprivate var uploadedChecksums: [String] {
    fields.flatMap { $0.assets.compactMap(\.receipt).compactMap(AssetReceipt.checksum) }
  }
}

extension DatabaseID {
  /// The database with the caller's push registrations: the private one, independent of the database of the request.
  func account(of caller: Caller) -> DatabaseID {
    of(caller.user, .private)
  }
}
