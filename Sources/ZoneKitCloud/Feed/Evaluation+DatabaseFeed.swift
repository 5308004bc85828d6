import ZoneKitRecords

extension Evaluation {
  /// A page of the changed zones, each once, in the order of their last change (CloudKit Web Services, c.6).
  ///
  /// The first fetch gives the database its identity, because only database tokens need one.
  mutating func fetchDatabaseChanges(
    since token: ChangeToken?, limit: Int, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    guard database.scope != .public else { throw notApplicable("changes/database") }
    let state = try reader.database(database)
    let since = try FeedToken.read(token, as: [.database])
    if let since { try check(since, against: state) }
    let identity = state.identity ?? generator.next()
    let start = since ?? FeedToken(kind: .database, identity: identity, position: 0)
    var outcome = Outcome(.databaseChanges(try changes(from: start, limit: limit)))
    if state.identity == nil {
      outcome.databaseChange = Outcome.DatabaseChange(
        database: database, transition: DatabaseTransition(identity: identity, expected: DatabaseExpectation(state)))
    }
    return outcome
  }

  private func check(_ token: FeedToken, against state: DatabaseState) throws(EvaluationFailure) {
    guard token.identity == state.identity else { throw expired("is of another database, or of one that was reset") }
    guard (0...state.sequence).contains(token.position) else {
      throw expired("is ahead of the database: its position is \(token.position), the database's \(state.sequence)")
    }
  }

  private mutating func changes(from start: FeedToken, limit: Int) throws(EvaluationFailure) -> DatabaseChanges {
    let headers = try reader.zones(of: database)
    let news = headers.filter {
      $0.databaseSequence > start.position && !$0.zoneName.isDefaultZone && $0.deletion != .lost
    }.sorted { $0.databaseSequence < $1.databaseSequence }
    let page = news.prefix(min(max(limit, 1), ZoneChangesQuery.pageLimit))
    // A zone whose last commit is too recent is listed for its older commits. The token stays before that zone, so it
    // is listed again when the commit is visible.
    var end = start
    if let last = page.prefix(while: { isVisible($0.lastCommitAt) }).last { end.position = last.databaseSequence }
    let moreComing = page.count < news.count && end.position == page.last?.databaseSequence
    return DatabaseChanges(zones: page.map(changed), token: end.changeToken, moreComing: moreComing)
  }

  private func changed(_ header: ZoneHeader) -> ChangedZone {
    let id = ZoneID(zoneName: header.zoneName)
    if let deletion = header.deletion?.listed { return .deleted(id, deletion) }
    return .changed(id, token: FeedToken.current(of: header).changeToken)
  }
}
