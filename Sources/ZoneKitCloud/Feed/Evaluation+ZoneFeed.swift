import ZoneKitRecords

extension Evaluation {
  /// A page of each zone's feed (CloudKit Web Services, c.6). An error of one zone does not affect the others. If the
  /// pages are too large together, those of the last zones are empty, and everything in them is still to come. A
  /// request may name each zone once.
  mutating func fetchZoneChanges(_ queries: [ZoneChangesQuery]) throws(EvaluationFailure) -> Outcome {
    guard database.scope != .public else { throw notApplicable("changes/zone") }
    try checkCount(queries.count, of: "zones")
    try checkDistinct(queries.map(\.zoneID))
    var results: [ZoneChangesResult] = []
    var unreadable: [StoreError] = []
    var absent: [Need] = []
    for query in queries {
      do throws(EvaluationFailure) {
        results.append(.changes(try changes(query)))
      } catch {
        // The pages are read together, because their sizes are limited together.
        if case .absent(let needs) = error {
          absent += needs
          continue
        }
        let id = query.zoneID.resolved(for: caller.userRecordName)
        results.append(.failed(id, try error.ofZone(noting: &unreadable)))
      }
    }
    guard absent.isEmpty else { throw .absent(absent) }
    try EvaluationFailure.check(unreadable, of: results.count)
    return Outcome(.zoneChanges(results))
  }

  private mutating func changes(_ query: ZoneChangesQuery) throws(EvaluationFailure) -> ZoneChanges {
    let zone = try liveZone(query.zoneID)
    guard !zone.key.zoneName.isDefaultZone, let header = zone.header else {
      throw .refused(.invalidArguments, "AppDefaultZone does not support getChanges call")
    }
    let start = try position(query, in: header, zone.access)
    let feedQuery = FeedQuery(query, from: start, pageSize: pageSize)
    let content = reader.content(of: zone.key)
    var page = try content.feed(feedQuery)
    // After a loss devices offer what a fetch from the beginning lacks, so such a fetch is never behind.
    let isWhole = header.isAfterLoss && (start.kind == .zoneFirst || start.position == 0)
    let isBehind = !isVisible(header.lastCommitAt) && !isWhole
    if isBehind { page = try visible(page, of: feedQuery, in: content) }
    var end = start
    // At the end of the feed the position is its newest sequence, even if the last changes are of other types than
    // those of the query.
    end.position = page.moreComing || feedQuery.isReversed || isBehind ? page.position : header.sequence
    if end.kind == .zoneFirst, !page.moreComing { end.kind = .zone }
    let shown = try withoutForeignTombstones(page.page, since: start, header, zone.access, in: content)
    return ZoneChanges(
      zoneID: zone.access.zoneID, page: zone.shown(try zone.access.visible(shown, in: content)),
      token: end.changeToken, moreComing: page.moreComing)
  }

  /// The position at which to continue. A token keeps its direction; without one, the direction of the query counts.
  private func position(
    _ query: ZoneChangesQuery, in header: ZoneHeader, _ access: ZoneAccess
  ) throws(EvaluationFailure) -> FeedToken {
    guard var token = try FeedToken.read(query.token, as: FeedToken.zoneKinds) else {
      return isCaughtUp(query.token) ? .current(of: header) : beginning(query, of: header, access)
    }
    guard header.knows(token.identity) else {
      guard header.hasLost(token.identity) else {
        throw expired(
          "is of an earlier state of zone \(header.zoneName), which was deleted, reset or expired",
          ending: header.ending(of: token.identity))
      }
      throw expired("is of a state of zone \(header.zoneName) that was lost in part", isAfterLoss: true)
    }
    guard token.identity == header.incarnation || token.position >= header.horizon else {
      throw expired("is older than what zone \(header.zoneName) still knows of deleted records")
    }
    // Reading in reverse starts one after the newest entry.
    let newest = token.kind == .zoneReversed ? header.sequence + 1 : header.sequence
    guard (0...newest).contains(token.position) else {
      // The zone lost commits, and nothing was recorded of them: a power cut took the mark of the zone, too.
      throw expired(
        "is ahead of zone \(header.zoneName): its position is \(token.position), the zone's \(newest)",
        isAfterLoss: true)
    }
    // Reading in reverse starts one after an entry, and goes on at one.
    let isCovered =
      header.covers(token.position) || token.kind == .zoneReversed && header.covers(token.position - 1)
    guard isCovered else {
      throw expired(
        "knows changes of zone \(header.zoneName) that were lost: its position is \(token.position)",
        isAfterLoss: true)
    }
    guard !query.acknowledged.contains(where: { $0.sequence.map { !header.covers($0) } ?? false }) else {
      throw expired("is of a client whose confirmed changes zone \(header.zoneName) lost", isAfterLoss: true)
    }
    let known = token.kind == .zoneFirst ? token.start : token.position
    guard access.isOwner || token.kind == .zoneReversed || known >= access.since else {
      throw expired("is older than the caller's present part of zone \(header.zoneName)")
    }
    token.identity = header.incarnation
    return token
  }

  /// Whether a token is the empty one, which stands for the newest state in a strict cloud (CloudKit Web Services, i.17).
  func isCaughtUp(_ token: ChangeToken?) -> Bool {
    token?.text.isEmpty == true && policy.strictness.contains(.emptyTokenIsCurrent)
  }

  private func beginning(_ query: ZoneChangesQuery, of header: ZoneHeader, _ access: ZoneAccess) -> FeedToken {
    guard !query.isReversed else {
      return FeedToken(kind: .zoneReversed, identity: header.incarnation, position: header.sequence + 1)
    }
    // After a loss every page has to be known as one of a fetch from the beginning, and so for a participant of a share,
    // whose token has to be of a time after the caller's part began.
    let isPlain = limits.firstFetchTombstones == .all && !header.isAfterLoss && access.isOwner
    let kind: FeedToken.Kind = isPlain ? .zone : .zoneFirst
    return FeedToken(kind: kind, identity: header.incarnation, position: 0, start: header.sequence)
  }

  /// The error for a token that is not valid for this feed any more.
  func expired(_ why: String, isAfterLoss: Bool = false, ending: ZoneEnding? = nil) -> EvaluationFailure {
    var error = CloudError(.changeTokenExpired, "the change token \(why); fetch again without a token")
    error.isAfterLoss = isAfterLoss
    error.ending = ending
    return .refused(error)
  }
}

extension FeedQuery {
  /// The part of a zone's feed for a query, from that token on.
  init(_ query: ZoneChangesQuery, from start: FeedToken, pageSize: Int) {
    self.init(
      position: start.position, isReversed: start.kind == .zoneReversed,
      limit: min(max(query.limit, 1), ZoneChangesQuery.pageLimit), recordTypes: query.recordTypes, byteLimit: pageSize)
  }
}
