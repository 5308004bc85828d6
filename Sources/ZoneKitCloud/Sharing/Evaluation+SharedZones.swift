import ZoneKitRecords

/// Shared databases. Their zones are in the databases of the owners; the database has an entry for each (CloudKit Web
/// Services, b.10).
extension Evaluation {
  /// The zone of another owner of which something is shared with the caller.
  mutating func sharedZone(_ id: ZoneID) throws(EvaluationFailure) -> LiveZone {
    guard case .user(let owner) = id.owner.resolved(for: caller.userRecordName), !id.zoneName.isDefaultZone,
      let key = try zoneKey(of: owner, id.zoneName), let header = try reader.zone(key), !header.isDeleted
    else { throw zoneNotFound(id) }
    let access = try reader.shares(of: header, in: key).access(of: caller.userRecordName, to: id, header)
    guard access.grants?.isEmpty == false else { throw zoneNotFound(id) }
    return LiveZone(key: key, header: header, access: access)
  }

  /// The place of an owner's zone; nil if the container does not know the owner.
  private mutating func zoneKey(of owner: Name, _ zoneName: Name) throws(EvaluationFailure) -> ZoneKey? {
    try account(of: owner).map { ZoneKey(database: $0, zoneName: zoneName) }
  }

  /// The private database of a user; nil if the container does not know the user.
  mutating func account(of user: Name) throws(EvaluationFailure) -> DatabaseID? {
    guard let found = try reader.users([.userRecordName(user)], near: database)[0] else { return nil }
    return database.of(found.account, .private)
  }

  /// All zones that were ever in the shared database, in ascending order of their entries.
  mutating func sharedZones() throws(EvaluationFailure) -> [SharedZone] {
    let list = try reader.zones(of: database)
    if let damaged = list.unreadable.first { throw .refused(CloudError(damaged.error, isOfZone: true)) }
    var zones: [SharedZone] = []
    for header in list.headers {
      guard let entry = SharedZoneEntry(header.zoneName) else { continue }
      var zone = SharedZone(entry: header, id: entry.zoneID)
      do throws(EvaluationFailure) {
        zone.zone = try sharedZone(entry.zoneID)
      } catch {
        guard case .refused(let refusal) = error, refusal.code == .zoneNotFound else { throw error }
      }
      zones.append(zone)
    }
    return zones
  }

  /// A page of the changed zones of a shared database. What happened to a zone is noted in its entry, with the database's
  /// next sequence, when the database is asked: a change of a zone writes to the owner's database alone.
  mutating func fetchSharedChanges(
    since token: ChangeToken?, limit: Int, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    let known = try reader.database(database)
    let since = try FeedToken.read(token, as: [.database])
    if let since { try check(since, against: known) }
    var state = known
    state.identity = known.identity ?? generator.next()
    var outcome = Outcome(.zones([]))
    var zones = try sharedZones()
    for index in zones.indices where zones[index].isOutdated {
      let change = try entryChange(zones[index].updatedEntry, state: &state)
      zones[index].entry = change.transition.header
      outcome.zoneChanges.append(change)
    }
    let start = since ?? FeedToken(kind: .database, identity: state.identity ?? 0, position: 0)
    outcome.answer = .response(.databaseChanges(page(of: zones, from: start, limit: limit)))
    if known.identity == nil {
      outcome.databaseChange = Outcome.DatabaseChange(
        database: database,
        transition: DatabaseTransition(identity: state.identity, expected: DatabaseExpectation(known)))
    }
    return outcome
  }

  /// The change after which the caller's shared database has that entry. The next listing makes the same change if this one
  /// is not kept.
  mutating func entryChange(
    _ entry: ZoneHeader, state: inout DatabaseState
  ) throws(EvaluationFailure) -> Outcome.ZoneChange {
    let key = ZoneKey(database: database.of(caller.user, .shared), zoneName: entry.zoneName)
    let transition = try reader.transition(
      to: entry, of: key, at: now, records: [], definitions: [], state: &state)
    return Outcome.ZoneChange(key: key, transition: transition, notice: nil, isTold: false, mayStay: true)
  }

  private func page(of zones: [SharedZone], from start: FeedToken, limit: Int) -> DatabaseChanges {
    let news = zones.filter { $0.entry.databaseSequence > start.position }
      .sorted { $0.entry.databaseSequence < $1.entry.databaseSequence }
    let page = news.prefix(min(max(limit, 1), ZoneChangesQuery.pageLimit))
    var end = start
    // A zone with a commit that feeds do not show yet is listed again.
    let visible = page.prefix { zone in zone.zone?.header.map { isVisible($0.lastCommitAt) } ?? true }
    if let last = visible.last { end.position = last.entry.databaseSequence }
    let changed = page.map { zone -> ChangedZone in
      guard let header = zone.zone?.header else {
        return .deleted(zone.id, ZoneEnding(.deleted, at: zone.entry.lastCommitAt))
      }
      return .changed(zone.id, token: FeedToken.current(of: header).changeToken)
    }
    return DatabaseChanges(
      zones: changed, token: end.changeToken,
      moreComing: page.count < news.count && visible.count == page.count)
  }
}
