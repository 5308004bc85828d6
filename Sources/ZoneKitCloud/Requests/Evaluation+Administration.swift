import ZoneKitRecords

extension Evaluation {
  /// The answer to an administrator's operation, and its changes.
  mutating func outcome(
    of operation: Administration, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    try checkCaller()
    try checkOwnership(operation)
    return switch operation {
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

  /// Refuses what is done to zones in a shared database, which has none of its own.
  private func checkOwnership(_ operation: Administration) throws(EvaluationFailure) {
    guard database.scope == .shared else { return }
    switch operation {
    case .expireDatabaseTokens, .dropSubscription, .muteSubscription, .endPushToken: return
    case .eraseRecords, .purgeZone, .resetEncryptedData, .loseZone, .expireZoneTokens, .purgeTombstones:
      throw .refused(.permissionFailure, "zones of a shared database are their owners'; name the owner's database")
    }
  }

  /// Removes the zone with its content. The database's feed lists the reason.
  private mutating func end(
    _ id: ZoneID, _ deletion: ZoneHeader.Deletion, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    var header = try customZone(id)
    header.end(deletion)
    return try outcome(clearing: header, answer: .deleted(ZoneID(zoneName: header.zoneName)), using: &generator)
  }

  /// Removes the zone without an entry in a feed and without notifications.
  private mutating func lose(_ id: ZoneID) throws(EvaluationFailure) -> Outcome {
    var header = try customZone(id)
    header.end(.lost)
    header.lastCommitAt = now
    return try outcome(
      leaving: ZoneTransition(header: header, clearsZone: true), answer: .deleted(ZoneID(zoneName: header.zoneName)))
  }

  private mutating func outcome(
    clearing header: ZoneHeader, answer: ZoneResult, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    var state = try reader.peek(database)
    var outcome = Outcome(.zones([answer]))
    let change = try zoneChange(
      header, in: key(header.zoneName), clearsZone: true, isOfRecords: false, state: &state, using: &generator)
    outcome.add(change, spending: &state, in: database)
    return outcome
  }

  /// Gives the zone a new incarnation, as if it had been created again with the same content.
  private mutating func expireTokens(
    of id: ZoneID, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    var header = try customZone(id)
    header.note(header, as: .expired, at: now)
    header.renew(using: &generator)
    return try outcome(leaving: ZoneTransition(header: header))
  }

  private func expireDatabaseTokens(using generator: inout some RandomNumberGenerator) -> Outcome {
    var outcome = Outcome(.zones([]))
    outcome.databaseChange = Outcome.DatabaseChange(
      database: database, transition: DatabaseTransition(identity: generator.next()))
    return outcome
  }

  private mutating func purgeTombstones(of id: ZoneID, before time: WallTime) throws(EvaluationFailure) -> Outcome {
    var header = try customZone(id)
    let tombstones = try tombstones(of: reader.content(of: key(header.zoneName)))
    let purged = tombstones.prefix(TombstonePurge.count(tombstones.map(\.modified.at), before: time))
    guard let last = purged.last?.sequence else { return Outcome(.zones([.zone(zone(header))])) }
    header.tombstoneCount -= purged.count
    header.horizonAt = purged.reduce(header.horizonAt) { max($0, $1.modified.at) }
    header.incarnation &+= 1
    header.purges += 1
    header.horizon = last
    // Deleted records led to those above them. Without them, records below them are not shared any more.
    header.sharing?.epoch = header.sequence
    header.sharing?.missingParents.formUnion(purged.map(\.recordName))
    return try outcome(leaving: ZoneTransition(header: header, purgedThrough: last))
  }

  /// The zone's tombstones, in ascending order of their sequences.
  private func tombstones(of zone: ZoneContent) throws(EvaluationFailure) -> [StoredRecord] {
    let page = try zone.feed(.tombstones).page
    let names = page.rows.map { Name(page.text($0.name)) }
    try zone.require([.records(names, in: zone.key)])
    var tombstones: [StoredRecord] = []
    for name in names {
      if let record = try zone.record(name) { tombstones.append(record) }
    }
    return tombstones
  }

  /// A change without an entry in the database's feed and without a notice.
  private mutating func outcome(
    leaving transition: ZoneTransition, answer: ZoneResult? = nil
  ) throws(EvaluationFailure) -> Outcome {
    let key = key(transition.header.zoneName)
    var transition = transition
    transition.expected = ZoneExpectation(zone: try reader.zone(key), databaseSequence: nil)
    var outcome = Outcome(.zones([answer ?? .zone(zone(transition.header))]))
    outcome.zoneChanges = [Outcome.ZoneChange(key: key, transition: transition, notice: nil)]
    return outcome
  }

  private mutating func dropSubscription(_ id: String) throws(EvaluationFailure) -> Outcome {
    let state = try reader.database(database)
    let dropped = try subscription(id, in: state)
    var outcome = Outcome(.subscriptions([.deleted(id)]))
    outcome.databaseChange = Outcome.DatabaseChange(
      database: database,
      transition: DatabaseTransition(removedSubscriptions: [dropped.key], expected: DatabaseExpectation(state)))
    return outcome
  }

  private mutating func muteSubscription(_ id: String) throws(EvaluationFailure) -> Outcome {
    let state = try reader.database(database)
    let muted = try subscription(id, in: state).muted
    var outcome = Outcome(.subscriptions([.subscription(muted)]))
    outcome.databaseChange = Outcome.DatabaseChange(
      database: database,
      transition: DatabaseTransition(savedSubscriptions: [muted], expected: DatabaseExpectation(state)))
    return outcome
  }

  private mutating func endPushToken(_ token: String) throws(EvaluationFailure) -> Outcome {
    let account = database.account(of: caller)
    guard let registration = try reader.database(account).registrations.first(where: { $0.token == token }) else {
      throw .refused(.unknownItem, "the account has no push token \(token)")
    }
    var outcome = Outcome(.pushToken(environment: registration.environment, token: token))
    outcome.endedToken = token
    outcome.databaseChange = Outcome.DatabaseChange(
      database: account, transition: DatabaseTransition(removedRegistrations: [token]))
    return outcome
  }

  private func subscription(_ id: String, in state: DatabaseState) throws(EvaluationFailure) -> Subscription {
    guard let found = state.subscriptions.first(where: { Name($0.subscriptionID) == Name(id) }) else {
      throw subscriptionNotFound(id)
    }
    return found
  }

  private mutating func customZone(_ id: ZoneID) throws(EvaluationFailure) -> ZoneHeader {
    guard let header = try liveZone(id).header, !header.zoneName.isDefaultZone else {
      throw .refused(.invalidArguments, "\(id.zoneName) has no change feed; name a custom zone")
    }
    return header
  }
}

extension ZoneHeader {
  /// Makes the zone refuse all tokens issued so far.
  mutating func renew(using generator: inout some RandomNumberGenerator) {
    incarnation = generator.next()
    purges = 0
    horizon = 0
    horizonAt = WallTime(milliseconds: 0)
  }
}
