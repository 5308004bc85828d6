import ZoneKitRecords

extension Evaluation {
  func outcome(
    of deed: Administration, using generator: inout some RandomNumberGenerator
  ) throws(CloudError) -> Outcome {
    try checkCaller()
    return switch deed {
    case .eraseRecords(let id): try eraseRecords(of: id, using: &generator)
    case .purgeZone(let id): try end(id, .purged, using: &generator)
    case .resetEncryptedData(let id): try end(id, .encryptedDataReset, using: &generator)
    case .loseZone(let id): try lose(id)
    case .expireZoneTokens(let id): try expireTokens(of: id, using: &generator)
    case .expireDatabaseTokens: expireDatabaseTokens(using: &generator)
    case .purgeTombstones(let id, before: let time): try purgeTombstones(of: id, before: time)
    case .dropSubscription(let id): try dropSubscription(id)
    case .muteSubscription(let id): try muteSubscription(id)
    case .endPushToken(let token): try endPushToken(token)
    }
  }

  /// Takes the zone away with all that it holds, and the database's feed says why.
  private func end(
    _ id: ZoneID, _ deletion: ZoneHeader.Deletion, using generator: inout some RandomNumberGenerator
  ) throws(CloudError) -> Outcome {
    var header = try customZone(id)
    header.end(deletion)
    return try outcome(clearing: header, answer: .deleted(zoneID(header.zoneName)), using: &generator)
  }

  /// The cloud has the zone no more, and says so to nobody before it is asked for it.
  private func lose(_ id: ZoneID) throws(CloudError) -> Outcome {
    var header = try customZone(id)
    header.end(.lost)
    return outcome(leaving: ZoneTransition(header: header, clearsZone: true), answer: .deleted(zoneID(header.zoneName)))
  }

  private func outcome(
    clearing header: ZoneHeader, answer: ZoneResult, using generator: inout some RandomNumberGenerator
  ) throws(CloudError) -> Outcome {
    var state = try store.database(database)
    var outcome = Outcome(.zones([answer]))
    let change = zoneChange(header, clearsZone: true, isOfRecords: false, state: &state, using: &generator)
    outcome.add(change, spending: &state, in: database)
    return outcome
  }

  /// A new incarnation, as if the zone had been created again with all that it holds.
  private func expireTokens(
    of id: ZoneID, using generator: inout some RandomNumberGenerator
  ) throws(CloudError) -> Outcome {
    var header = try customZone(id)
    header.renew(using: &generator)
    return outcome(leaving: ZoneTransition(header: header))
  }

  private func expireDatabaseTokens(using generator: inout some RandomNumberGenerator) -> Outcome {
    var outcome = Outcome(.zones([]))
    outcome.databaseChange = Outcome.DatabaseChange(
      database: database, transition: DatabaseTransition(identity: generator.next()))
    return outcome
  }

  private func purgeTombstones(of id: ZoneID, before time: WallTime) throws(CloudError) -> Outcome {
    var header = try customZone(id)
    // Sequences grow with time; a clock that went back must not leave an older tombstone behind a younger one's.
    let tombstones = try tombstones(of: key(header.zoneName))
    guard let last = tombstones.last(where: { $0.modified.at < time })?.sequence else {
      return Outcome(.zones([.zone(zone(header))]))
    }
    header.tombstoneCount -= tombstones.count { $0.sequence <= last }
    header.incarnation &+= 1
    header.purges += 1
    header.horizon = last
    return outcome(leaving: ZoneTransition(header: header, purgedThrough: last))
  }

  /// The zone's tombstones, ascending by sequence.
  private func tombstones(of zone: ZoneKey) throws(CloudError) -> [StoredRecord] {
    var tombstones: [StoredRecord] = []
    // Tombstones come through whatever the types.
    var query = FeedQuery(position: 0, isReversed: false, limit: ZoneChangesQuery.pageLimit, recordTypes: [])
    while true {
      let page = try store.feed(query, in: zone)
      for row in page.page.rows {
        if let record = try store.record(Name(page.page.text(row.name)), in: zone) { tombstones.append(record) }
      }
      guard page.moreComing else { return tombstones }
      query.position = page.position
    }
  }

  /// A change that the database's feed does not show and nobody is told of.
  private func outcome(leaving transition: ZoneTransition, answer: ZoneResult? = nil) -> Outcome {
    var outcome = Outcome(.zones([answer ?? .zone(zone(transition.header))]))
    outcome.zoneChanges = [
      Outcome.ZoneChange(key: key(transition.header.zoneName), transition: transition, notice: nil)
    ]
    return outcome
  }

  private func dropSubscription(_ id: String) throws(CloudError) -> Outcome {
    _ = try subscription(id)
    var outcome = Outcome(.subscriptions([.deleted(id)]))
    outcome.databaseChange = Outcome.DatabaseChange(
      database: database, transition: DatabaseTransition(removedSubscriptions: [id]))
    return outcome
  }

  private func muteSubscription(_ id: String) throws(CloudError) -> Outcome {
    let muted = try subscription(id).muted
    var outcome = Outcome(.subscriptions([.subscription(muted)]))
    outcome.databaseChange = Outcome.DatabaseChange(
      database: database, transition: DatabaseTransition(savedSubscriptions: [muted]))
    return outcome
  }

  private func endPushToken(_ token: String) throws(CloudError) -> Outcome {
    let account = database.account(of: caller)
    guard let registration = try store.database(account).registrations.first(where: { $0.token == token }) else {
      throw CloudError(.unknownItem, "the account has no push token \(token)")
    }
    var outcome = Outcome(.pushToken(environment: registration.environment, token: token))
    outcome.endedToken = token
    outcome.databaseChange = Outcome.DatabaseChange(
      database: account, transition: DatabaseTransition(removedRegistrations: [token]))
    return outcome
  }

  private func subscription(_ id: String) throws(CloudError) -> Subscription {
    let state = try store.database(database)
    guard let found = state.subscriptions.first(where: { Name($0.subscriptionID) == Name(id) }) else {
      throw subscriptionNotFound(id)
    }
    return found
  }

  private func customZone(_ id: ZoneID) throws(CloudError) -> ZoneHeader {
    guard let header = try liveZone(id).header, !header.zoneName.isDefaultZone else {
      throw CloudError(.invalidArguments, "\(id.zoneName) has no change feed; name a custom zone")
    }
    return header
  }
}

extension ZoneHeader {
  /// Makes all tokens that the zone ever issued strangers to it.
  fileprivate mutating func renew(using generator: inout some RandomNumberGenerator) {
    incarnation = generator.next()
    purges = 0
    horizon = 0
  }
}
