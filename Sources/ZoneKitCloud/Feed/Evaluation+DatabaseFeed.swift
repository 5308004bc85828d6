import ZoneKitRecords

extension Evaluation {
  /// A page of the changed zones, each once, in the order of their last change (CloudKit Web Services, c.6).
  ///
  /// The first fetch gives the database its identity, because only database tokens need one.
  mutating func fetchDatabaseChanges(
    since token: ChangeToken?, limit: Int, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    guard database.scope != .public else { throw notApplicable("changes/database") }
    if database.scope == .shared { return try fetchSharedChanges(since: token, limit: limit, using: &generator) }
    let state = try reader.database(database)
    let since = try FeedToken.read(token, as: [.database])
    if let since { try check(since, against: state) }
    let identity = state.identity ?? generator.next()
    let position = isCaughtUp(token) ? state.sequence : 0
    let start = since ?? FeedToken(kind: .database, identity: identity, position: position)
    var outcome = Outcome(.databaseChanges(try changes(from: start, limit: limit)))
    if state.identity == nil {
      outcome.databaseChange = Outcome.DatabaseChange(
        database: database, transition: DatabaseTransition(identity: identity, expected: DatabaseExpectation(state)))
    }
    return outcome
  }

  func check(_ token: FeedToken, against state: DatabaseState) throws(EvaluationFailure) {
    guard token.identity == state.identity else { throw expired("is of another database, or of one that was reset") }
    guard (0...state.sequence).contains(token.position) else {
      throw expired("is ahead of the database: its position is \(token.position), the database's \(state.sequence)")
    }
    guard state.covers(token.position) else {
      throw expired("knows changes of the database that were lost: its position is \(token.position)")
    }
  }

  private mutating func changes(from start: FeedToken, limit: Int) throws(EvaluationFailure) -> DatabaseChanges {
    let list = try reader.zones(of: database)
    let changed = list.headers.filter {
      $0.databaseSequence > start.position && !$0.zoneName.isDefaultZone && $0.deletion != .lost
    }
    let unreadable = list.unreadable.filter { $0.known?.databaseSequence ?? 0 > start.position }
    let news = (changed.map(entry) + unreadable.compactMap(entry)).sorted { $0.position < $1.position }
    let page = news.prefix(min(max(limit, 1), ZoneChangesQuery.pageLimit))
    // A zone whose last commit is too recent is listed for its older commits. The token stays before that zone, so it
    // is listed again when the commit is visible.
    var end = start
    if let last = page.prefix(while: \.isVisible).last { end.position = last.position }
    let moreComing = page.count < news.count && end.position == page.last?.position
    return DatabaseChanges(zones: page.map(\.zone), token: end.changeToken, moreComing: moreComing)
  }

  /// A zone in the database's feed.
  private struct Entry {
    let position: Int64
    let isVisible: Bool
    let zone: ChangedZone
  }

  private func entry(_ header: ZoneHeader) -> Entry {
    Entry(position: header.databaseSequence, isVisible: isVisible(header.lastCommitAt), zone: changed(header))
  }

  /// A zone that cannot be read is listed as changed where it was last, so that no device takes it for unchanged. The
  /// device learns the error when it fetches the zone.
  private func entry(_ zone: UnreadableZone) -> Entry? {
    guard let mark = zone.known, zone.isListed else { return nil }
    let id = ZoneID(zoneName: zone.name)
    let token = FeedToken(kind: .zone, identity: mark.incarnation, position: mark.sequence)
    return Entry(
      position: mark.databaseSequence, isVisible: true,
      zone: mark.isDeleted ? .deleted(id, ZoneEnding(.deleted)) : .changed(id, token: token.changeToken))
  }

  private func changed(_ header: ZoneHeader) -> ChangedZone {
    let id = ZoneID(zoneName: header.zoneName)
    if let deletion = header.deletion?.listed { return .deleted(id, ZoneEnding(deletion, at: header.lastCommitAt)) }
    return .changed(id, token: FeedToken.current(of: header).changeToken)
  }
}
