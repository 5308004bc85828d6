import Records

extension Evaluation {
  /// A page of each zone's feed (CloudKit Web Services, c.6); a zone that fails leaves the others as they are.
  func fetchZoneChanges(_ queries: [ZoneChangesQuery]) throws(CloudError) -> Outcome {
    guard database.scope != .public else { throw notApplicable("changes/zone") }
    try checkCount(queries.count, of: "zones")
    var results: [ZoneChangesResult] = []
    for query in queries {
      do throws(CloudError) {
        results.append(.changes(try changes(query)))
      } catch {
        results.append(.failed(reported(query.zoneID), try error.ofItem()))
      }
    }
    return Outcome(.zoneChanges(results))
  }

  private func changes(_ query: ZoneChangesQuery) throws(CloudError) -> ZoneChanges {
    let zone = try liveZone(query.zoneID)
    guard !zone.key.zoneName.isDefaultZone, let header = zone.header else {
      throw CloudError(.invalidArguments, "AppDefaultZone does not support getChanges call")
    }
    let start = try position(query, in: header)
    let feedQuery = FeedQuery(
      position: start.position, isReversed: start.kind == .zoneReversed,
      limit: min(max(query.limit, 1), ZoneChangesQuery.pageLimit), recordTypes: query.recordTypes)
    let page = try store.feed(feedQuery, in: zone.key)
    var end = start
    // The end of the feed is its newest sequence, also where the last changes were of other types than those asked for.
    end.position = page.moreComing || feedQuery.isReversed ? page.position : header.sequence
    return ZoneChanges(
      zoneID: zoneID(header.zoneName), page: page.page, token: end.changeToken, moreComing: page.moreComing)
  }

  /// Where to go on. A token keeps its direction; without one the query's counts.
  private func position(_ query: ZoneChangesQuery, in header: ZoneHeader) throws(CloudError) -> FeedToken {
    guard let token = try FeedToken.read(query.token, as: [.zone, .zoneReversed]) else {
      return FeedToken(
        kind: query.isReversed ? .zoneReversed : .zone, identity: header.incarnation,
        position: query.isReversed ? header.sequence + 1 : 0)
    }
    guard token.identity == header.incarnation else {
      throw expired("is of an earlier zone \(header.zoneName), which was deleted")
    }
    // Reading backwards starts one behind the newest entry.
    let newest = token.kind == .zoneReversed ? header.sequence + 1 : header.sequence
    guard (0...newest).contains(token.position) else {
      throw expired("is ahead of zone \(header.zoneName): its position is \(token.position), the zone's \(newest)")
    }
    return token
  }

  func expired(_ why: String) -> CloudError {
    CloudError(.changeTokenExpired, "the change token \(why); fetch again without a token")
  }
}
