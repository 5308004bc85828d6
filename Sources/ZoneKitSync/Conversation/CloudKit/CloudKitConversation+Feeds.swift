import ZoneKitRecords

/// Reads the feeds: first the database's feed for the changed zones, then their feeds, then the records of conflicts.
extension CloudKitConversation {
  // MARK: The database's feed

  /// Stores a page of the database's feed. The zones that it names are marked in the same transition as its token, so
  /// that no change of theirs can be lost (sync semantics, 3.1).
  mutating func merge(
    _ changes: DatabaseChanges, _ session: inout SyncSession, _ ledger: inout Ledger<some DeviceStore>, at now: Moment
  ) throws(StoreError) -> [Effect] {
    var effects: [Effect] = []
    var draft = ledger.draft(at: now)
    let asked = ledger.databaseToken
    for zone in changes.zones {
      switch zone {
      case .changed(let id, _):
        var state = draft.memory.zone(ledger.own(id)) ?? .unread(ledger.own(id))
        sync.feeds[state.zoneID].listed(isNews: asked != nil, wasRead: state.token != nil)
        state.isStale = true
        draft.memory.setZone(state)
      case .deleted(let id, let ending):
        let zoneID = ledger.own(id)
        let reason = ZoneRemoval.Reason(ending.reason)
        effects += note(try ledger.zoneGone(zoneID, reason, end: ending.at, in: &draft, at: now), of: zoneID)
      }
    }
    let token = changes.token.unlessEmpty
    let isStuck = changes.moreComing && token.leadsNowhere(after: asked)
    if isStuck {
      effects.append(.fact(.tokenStuck(nil)))
      let error = CloudError(.internalError, "the database's feed keeps promising more behind the same token")
      session.setBack(by: error, holding: .fetching)
    }
    if asked != token {
      draft.memory.setDatabaseToken(token, of: ledger.configuration.traits.scope, at: now.wall)
    }
    try ledger.commit(draft)
    session.readPage(records: 0)
    sync.feeds.readDatabasePage(moreComing: changes.moreComing && !isStuck)
    return effects
  }

  /// The request for the database's feed failed. A token that the cloud refuses is removed, and the feed is read from
  /// its beginning. After any other failure the device does what is possible without that feed.
  mutating func databaseFailed(
    _ error: CloudError, _ session: inout SyncSession, _ ledger: inout Ledger<some DeviceStore>, at now: Moment
  ) throws(StoreError) -> [Effect] {
    guard error.code.refusesToken, ledger.databaseToken != nil, sync.feeds.mayStartOver else {
      if error.code.endsFetching { sync.feeds.close() } else { sync.feeds.databaseFailed() }
      session.setBack(by: error, holding: .fetching)
      return []
    }
    sync.feeds.startedOver()
    return try ledger.forgetDatabaseToken(at: now)
  }

  // MARK: The zones' feeds

  mutating func askForZones(
    _ zones: [ZoneState], _ session: SyncSession, _ ledger: Ledger<some DeviceStore>
  ) -> ConversationStep {
    let limit = ledger.configuration.limits.page
    // Behind a database's feed, a change token has no position for each type.
    let scope = ledger.configuration.traits.feeds == .database ? .everything : session.scope
    let queries = zones.map { zone in
      // The pages that follow are read ahead, before the device knows which changes the last one showed.
      let isNamed = zone.token != nil && !sync.feeds[zone.zoneID].isGoingOn
      return ZoneChangesQuery(
        zoneID: zone.zoneID, token: zone.token, limit: limit, recordTypes: scope.types(for: zone),
        acknowledged: isNamed ? zone.acknowledged : [])
    }
    return ask(.fetchZoneChanges(queries), for: .fetchingZones(zones.map(\.zoneID)))
  }

  /// Stores pages of zones, each with its token in one transition.
  mutating func merge(
    _ results: [ZoneChangesResult], of asked: [ZoneID], _ session: inout SyncSession,
    _ ledger: inout Ledger<some DeviceStore>, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    var effects: [Effect] = []
    let hasRecords = results.contains { $0.hasRecords }
    for result in results {
      // What was not asked for cannot be the page after the zone's token.
      guard asked.contains(ledger.own(result.zoneID)) else { continue }
      switch result {
      case .changes(let changes)
      where hasRecords && changes.isPostponed(after: ledger.zone(ledger.own(changes.zoneID))?.token):
        // The answer had no room for this zone, so it is asked for again.
        continue
      case .changes(let changes):
        effects += try merge(changes, &session, &ledger, at: now, using: &generator)
      case .failed(let id, let error):
        effects += try zoneFailed(ledger.own(id), error, &session, &ledger, at: now)
      }
    }
    // A zone that is missing in the answer must not be requested again and again.
    let answered = results.map { ledger.own($0.zoneID) }
    for zoneID in asked where !answered.contains(zoneID) {
      let error = CloudError(.internalError, "the cloud did not answer for zone \(zoneID.zoneName)")
      hold(zoneID, .reading, error, &session, at: now)
    }
    return effects
  }

  private mutating func merge(
    _ changes: ZoneChanges, _ session: inout SyncSession, _ ledger: inout Ledger<some DeviceStore>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    let page = try ledger.merge(changes, &session, at: now, using: &generator)
    sync.feeds[page.zoneID].readPage(records: changes.page.count, moreComing: changes.moreComing)
    holds.end(page.zoneID, .reading)
    if page.isStuck, let error = session.setback { hold(page.zoneID, .reading, error, &session, at: now) }
    if !page.unsure.isEmpty { sync.feeds[page.zoneID].endedFullFetch(butFor: page.unsure) }
    return page.effects
  }

  /// The request for the feeds of those zones failed as a whole.
  mutating func zonesFailed(
    _ zones: [ZoneID], _ error: CloudError, _ session: inout SyncSession, _ ledger: inout Ledger<some DeviceStore>,
    at now: Moment
  ) throws(StoreError) -> [Effect] {
    guard !error.code.endsFetching else {
      sync.feeds.close()
      session.setBack(by: error, holding: .fetching)
      return []
    }
    guard zones.count == 1, let zoneID = zones.first else {
      // One of the zones may be the cause.
      sync.feeds.askAlone()
      return []
    }
    return try zoneFailed(zoneID, error, &session, &ledger, at: now)
  }

  private mutating func zoneFailed(
    _ zoneID: ZoneID, _ error: CloudError, _ session: inout SyncSession, _ ledger: inout Ledger<some DeviceStore>,
    at now: Moment
  ) throws(StoreError) -> [Effect] {
    switch error.code {
    case let code where code.refusesToken && ledger.zone(zoneID)?.token != nil && sync.feeds[zoneID].mayStartOver:
      sync.feeds[zoneID].startedOver()
      if error.isAfterLoss { sync.sending.recordsWereLost() }
      return try ledger.tokenExpired(of: zoneID, after: error.ending, isAfterLoss: error.isAfterLoss, at: now)
    case .zoneNotFound where ledger.zone(zoneID) == nil, .userDeletedZone where ledger.zone(zoneID) == nil:
      // The zone is created when something is sent to it.
      sync.feeds[zoneID].isNowhere()
      return []
    case .zoneNotFound:
      let failed = Effect.fact(.zoneFailed(zoneID, error))
      // The zone was listed and then deleted. The database's feed will name the deletion or a new zone of that name.
      // Otherwise the cloud lost the zone.
      sync.feeds[zoneID].missing()
      guard sync.feeds[zoneID].timesMissing <= 2 * Self.missingLimit else {
        hold(zoneID, .reading, error, &session, at: now)
        return [failed]
      }
      switch sync.feeds.inquire(about: zoneID) {
      case .asks: return [failed]
      case .isLost:
        return [failed] + (try zoneGone(zoneID, .lost, isAfterLoss: error.isAfterLoss, &ledger, at: now))
      case .isUnknown:
        hold(zoneID, .reading, error, &session, at: now)
        return [failed]
      }
    case .userDeletedZone: return try zoneGone(zoneID, .purged, end: error.ending?.at, &ledger, at: now)
    default:
      hold(zoneID, .reading, error, &session, at: now)
      return [.fact(.zoneFailed(zoneID, error))]
    }
  }

  /// Requests for a zone fail. The rest of the sync, and further syncs for a while, leave it out.
  mutating func hold(
    _ zoneID: ZoneID, _ use: ZoneHolds.Use, _ error: CloudError, _ session: inout SyncSession, at now: Moment
  ) {
    switch use {
    case .reading: sync.feeds[zoneID].failed()
    case .sending:
      sync.sending.hold(zoneID)
      sync.feeds[zoneID].forgetLookups()
    }
    holds.hold(zoneID, use, error, at: now.monotonic)
    session.setBack(by: error.ofZone, holding: .zones)
  }

  // MARK: Missing, removed and new zones

  /// How often one sync tries to create a zone that the cloud reports as missing.
  static var missingLimit: Int { 3 }

  /// A batch failed because the cloud does not have its zone. If the device knows the zone, someone may have deleted
  /// it, so the database's feed is read before the zone is created again. `isAfterLoss` tells whether the cloud said
  /// that it lost what it had.
  mutating func zoneMissing(
    _ zoneID: ZoneID, isAfterLoss: Bool, _ session: inout SyncSession, _ ledger: inout Ledger<some DeviceStore>,
    at now: Moment
  ) throws(StoreError) -> [Effect] {
    let inquiry = ledger.zone(zoneID).map { _ in sync.feeds.inquire(about: zoneID) }
    let times = sync.feeds[zoneID].timesMissing
    sync.feeds[zoneID].forgetLookups()
    sync.feeds[zoneID].missing()
    switch inquiry {
    case .asks:
      sync.sendsFirst = false
      return []
    case .isUnknown:
      let error = CloudError(.zoneNotFound, "zone \(zoneID.zoneName) is missing, and the database's feed was not read")
      hold(zoneID, .sending, error, &session, at: now)
      return []
    case .isLost, nil: break
    }
    guard times < Self.missingLimit else {
      let error = CloudError(.zoneNotFound, "zone \(zoneID.zoneName) is gone again after it was created")
      hold(zoneID, .sending, error, &session, at: now)
      return []
    }
    guard inquiry != nil else {
      sync.feeds[zoneID].create()
      return []
    }
    return try zoneGone(zoneID, .lost, isAfterLoss: isAfterLoss, &ledger, at: now)
  }

  /// A zone does not exist on the cloud any more.
  mutating func zoneGone(
    _ zoneID: ZoneID, _ reason: ZoneRemoval.Reason, end: WallTime? = nil, isAfterLoss: Bool = false,
    _ ledger: inout Ledger<some DeviceStore>, at now: Moment
  ) throws(StoreError) -> [Effect] {
    note(try ledger.zoneGone(zoneID, reason, end: end, isAfterLoss: isAfterLoss, at: now), of: zoneID)
  }

  /// A batch failed because the user had removed the zone from the cloud. If the device does not know the zone, it has
  /// learned of that before: what it has was written since, and the zone is created for it.
  mutating func zonePurged(
    _ zoneID: ZoneID, end: WallTime?, _ session: inout SyncSession, _ ledger: inout Ledger<some DeviceStore>,
    at now: Moment
  ) throws(StoreError) -> [Effect] {
    guard ledger.zone(zoneID) == nil else {
      let effects = try zoneGone(zoneID, .purged, end: end, &ledger, at: now)
      sync.feeds[zoneID].forgetLookups()
      return effects
    }
    return try zoneMissing(zoneID, isAfterLoss: false, &session, &ledger, at: now)
  }

  /// Notes what a zone left behind. Returns what there is to report.
  private mutating func note(_ loss: ZoneLoss?, of zoneID: ZoneID) -> [Effect] {
    guard let loss else { return [] }
    sync.sending.recordsWereLost()
    sync.feeds[zoneID].gone(isToCreate: loss.isToCreate)
    return loss.effects
  }

  mutating func created(
    _ zoneID: ZoneID, _ results: [ZoneResult], _ session: inout SyncSession, _ ledger: inout Ledger<some DeviceStore>,
    at now: Moment
  ) throws(StoreError) -> [Effect] {
    guard case .zone? = results.first else {
      var error = CloudError(.internalError, "the cloud did not answer with zone \(zoneID.zoneName)")
      if case .failed(_, let refusal)? = results.first { error = refusal }
      hold(zoneID, .sending, error, &session, at: now)
      return []
    }
    try ledger.zoneCreated(zoneID, at: now)
    sync.feeds[zoneID].created()
    return [.fact(.zoneCreated(zoneID))]
  }

  // MARK: Records of conflicts

  mutating func askForLookups(in zoneID: ZoneID, _ ledger: Ledger<some DeviceStore>) -> ConversationStep {
    let names = sync.feeds[zoneID].takeLookups(ledger.configuration.limits.lookups)
    return ask(.lookupRecords(zoneID: zoneID, recordNames: names), for: .lookingUp(zoneID, names))
  }

  /// Merges the cloud's versions of records that could not be saved. What remains to be sent goes with the next batch.
  mutating func lookedUp(
    _ names: [Name], in zoneID: ZoneID, _ results: [RecordResult], _ session: inout SyncSession,
    _ ledger: inout Ledger<some DeviceStore>, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    let isLast = sync.feeds[zoneID].lookups.isEmpty
    let part: FullFetchPart = sync.feeds[zoneID].isLookingUpRest ? (isLast ? .last : .more) : .none
    let lookup = try ledger.merge(
      results, of: names, in: zoneID, endOf: part, session: &session, at: now, using: &generator)
    if let error = lookup.failure {
      // The record cannot be sent before its version on the cloud is known, and looking it up again in this sync would
      // not end.
      hold(zoneID, .sending, error, &session, at: now)
    }
    sync.sending.lookedUp(names, in: zoneID)
    return lookup.effects
  }
}

extension CloudError {
  /// The error as the setback of one zone: a retry time of the cloud applies to that zone only.
  var ofZone: CloudError { CloudError(code, reason) }
}

extension Optional<ChangeToken> {
  /// Whether the token of a page does not lead further: it is the token of the request, or leads back to the beginning
  /// of the feed.
  func leadsNowhere(after asked: ChangeToken?) -> Bool { self == nil || self == asked }
}

extension ZoneChanges {
  /// Whether the page is empty and leads nowhere, although there is more to come.
  func isPostponed(after asked: ChangeToken?) -> Bool {
    moreComing && page.count == 0 && token.unlessEmpty.leadsNowhere(after: asked)
  }
}

extension ZoneChangesResult {
  /// Whether the result has records or tombstones.
  var hasRecords: Bool {
    switch self {
    case .changes(let changes): changes.page.count > 0
    case .failed: false
    }
  }

  /// The zone of the result.
  fileprivate var zoneID: ZoneID {
    switch self {
    case .changes(let changes): changes.zoneID
    case .failed(let zoneID, _): zoneID
    }
  }
}
