import ZoneKitRecords

/// Reading the feeds: first which zones changed, then what changed in them, then what conflicts are about.
extension SyncCoordinator {
  /// Takes in a page of the database's feed. The zones it names are remembered in the same transition as its token, so
  /// that no news of theirs can be lost (sync semantics, 3.1).
  mutating func merge(
    _ changes: DatabaseChanges, _ session: inout SyncSession, at now: Moment
  ) throws(StoreError) -> [Effect] {
    var effects: [Effect] = []
    var draft = draft(at: now)
    for zone in changes.zones {
      switch zone {
      case .changed(let id, _):
        var state = draft.memory.zone(own(id)) ?? .unread(own(id))
        // There again, whoever made it: should it be missing once more, somebody may have deleted it since.
        if state.token != nil { session.inquiredZones.removeAll { $0 == own(id) } }
        state.isStale = true
        draft.memory.setZone(state)
        if memory.databaseToken != nil { session.listedZones.append(own(id)) }
        session.sweptZones.removeAll { $0 == own(id) }
      case .deleted(let id, let deletion):
        effects += try zoneGone(own(id), ZoneRemoval.Reason(deletion), &session, in: &draft, at: now)
      }
    }
    let token = changes.token.unlessEmpty
    let isStuck = changes.moreComing && Self.leadsNowhere(token, after: memory.databaseToken)
    if isStuck {
      effects.append(.fact(.tokenStuck(nil)))
      session.setback = CloudError(.internalError, "the database's feed keeps promising more behind the same token")
    }
    if memory.databaseToken != token {
      draft.memory.set(.databaseToken, token?.text)
      draft.memory.set(.databaseTokenAt, now.wall)
    }
    try commit(draft)
    session.pages += 1
    session.fetchesDatabase = changes.moreComing && !isStuck
    return effects
  }

  /// Whether what a page promises cannot be asked for with its token: that is the one that the page was asked for with, or
  /// leads back to the feed's beginning, from which the same pages come again.
  private static func leadsNowhere(_ token: ChangeToken?, after asked: ChangeToken?) -> Bool {
    token == nil || token == asked
  }

  mutating func forgetDatabaseToken(at now: Moment) throws(StoreError) -> [Effect] {
    var draft = draft(at: now)
    draft.memory.set(.databaseToken, String?.none)
    for zone in memory.zones {
      var zone = zone
      zone.isStale = true
      draft.memory.setZone(zone)
    }
    try commit(draft)
    return [.fact(.tokenExpired(nil))]
  }

  mutating func askForZones(_ zones: [ZoneState], in session: SyncSession, at now: Moment) -> [Effect] {
    let queries = zones.map { ZoneChangesQuery(zoneID: $0.zoneID, token: $0.token, limit: configuration.pageLimit) }
    return ask(.fetchZoneChanges(queries), for: .fetchingZones(zones.map(\.zoneID)), in: session, at: now)
  }

  /// Takes in pages of zones, each with its token in one transition.
  mutating func merge(
    _ results: [ZoneChangesResult], _ session: inout SyncSession, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    var effects: [Effect] = []
    for result in results {
      switch result {
      case .changes(let changes):
        effects += try merge(changes, &session, at: now, using: &generator)
      case .failed(let id, let error):
        effects += try zoneFailed(own(id), error, &session, at: now)
      }
    }
    // A zone that was asked for and not answered must not be asked for again and again.
    if case .fetchingZones(let asked) = session.phase {
      let answered = results.map { own($0.zoneID) }
      for zoneID in asked where !answered.contains(zoneID) {
        session.failedZones.append(zoneID)
        session.setback = CloudError(.internalError, "the cloud did not answer for zone \(zoneID.zoneName)")
      }
    }
    return effects
  }

  private mutating func merge(
    _ changes: ZoneChanges, _ session: inout SyncSession, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    let zoneID = own(changes.zoneID)
    var merge = PageMerge(coordinator: self, zoneID: zoneID, session: session, isPage: true, now: now)
    for change in changes.page.changes { try merge.take(change, using: &generator) }
    session.unseenZones.removeAll { $0 == zoneID }
    if changes.page.count > 0 { session.listedZones.removeAll { $0 == zoneID } }
    session.silentZones.removeAll { $0 == zoneID }
    if session.listedZones.contains(zoneID), !changes.moreComing { session.silentZones.append(zoneID) }
    var state = merge.draft.memory.zone(zoneID) ?? .unread(zoneID)
    let token = changes.token.unlessEmpty
    let isStuck = changes.moreComing && Self.leadsNowhere(token, after: state.token)
    if isStuck {
      merge.effects.append(.fact(.tokenStuck(zoneID)))
      session.failedZones.append(zoneID)
      session.setback = CloudError(
        .internalError, "the feed of zone \(zoneID.zoneName) keeps promising more behind the same token")
    }
    if token == nil, changes.moreComing {
      // What this page had is met again, or was deleted, which a feed that is read from its beginning need not tell.
      state.sweep += 1
      state.isSweeping = true
    }
    state.token = token
    state.tokenAt = now.wall
    state.isStale = changes.moreComing
    if !changes.moreComing, state.isSweeping {
      try merge.sweep(state, using: &generator)
      state.isSweeping = !merge.unsure.isEmpty
      if state.isSweeping {
        session.lookups[zoneID, default: []] += merge.unsure
        session.sweptZones.append(zoneID)
      }
    }
    merge.draft.memory.setZone(state)
    if !changes.moreComing || isStuck { try merge.endParking() }
    try keep(merge, &session, at: now)
    session.pages += 1
    session.records += changes.page.count
    session.hasMoved = session.hasMoved || changes.page.count > 0
    session.newestModification = [session.newestModification, merge.newestModification].compactMap { $0 }.max()
    newestSeen[zoneID] = [newestSeen[zoneID], merge.newestModification].compactMap { $0 }.max()
    return merge.effects(pageOf: changes.page.count, moreComing: changes.moreComing)
  }

  /// Keeps what was merged, and takes in what it tells of the cloud's clock, of the user's view and of quarrels.
  private mutating func keep(
    _ merge: PageMerge<Store>, _ session: inout SyncSession, at now: Moment
  ) throws(StoreError) {
    try commit(merge.draft)
    noteCloudTime(merge.ownWriteAt, at: now)
    session.hasVisibleChange = session.hasVisibleChange || !merge.visible.isEmpty
    for (recordID, device) in merge.foreign { storm.changed(recordID, by: device, now: now.monotonic) }
  }

  /// Takes in that the feeds of those zones failed as a whole.
  mutating func zonesFailed(
    _ zones: [ZoneID], _ error: CloudError, _ session: inout SyncSession, at now: Moment
  ) throws(StoreError) -> [Effect] {
    var effects: [Effect] = []
    for zoneID in zones { effects += try zoneFailed(zoneID, error, &session, at: now) }
    return effects
  }

  private mutating func zoneFailed(
    _ zoneID: ZoneID, _ error: CloudError, _ session: inout SyncSession, at now: Moment
  ) throws(StoreError) -> [Effect] {
    var draft = draft(at: now)
    var state = memory.zone(zoneID) ?? .unread(zoneID)
    var effects: [Effect] = []
    switch error.code {
    case .changeTokenExpired where state.token != nil && !session.isExpiring(zoneID):
      session.expiredZones.append(zoneID)
      state.token = nil
      state.sweep += 1
      state.isSweeping = true
      draft.memory.setZone(state)
      effects.append(.fact(.tokenExpired(zoneID)))
    case .zoneNotFound:
      effects.append(.fact(.zoneFailed(zoneID, error)))
      // Listed and then gone: the database's feed tells of the deletion, or of a new zone of that name. Where it does not,
      // the cloud lost the zone.
      session.missingZones.append(zoneID)
      guard session.missingZones.count(where: { $0 == zoneID }) <= 2 * Self.missingLimit else {
        session.failedZones.append(zoneID)
        session.setback = error
        break
      }
      if !session.inquires(about: zoneID) { effects += try zoneGone(zoneID, .lost, &session, in: &draft, at: now) }
    case .userDeletedZone:
      effects += try zoneGone(zoneID, .purged, &session, in: &draft, at: now)
    default:
      session.failedZones.append(zoneID)
      session.setback = error
      effects.append(.fact(.zoneFailed(zoneID, error)))
    }
    try commit(draft)
    return effects
  }

  // MARK: What conflicts are about

  mutating func askForLookups(_ session: SyncSession, at now: Moment) -> [Effect]? {
    guard let zoneID = session.lookups.keys.min(), let all = session.lookups[zoneID] else { return nil }
    var session = session
    let names = Array(all.prefix(configuration.bounds.lookups))
    let rest = Array(all.dropFirst(names.count))
    session.lookups[zoneID] = rest.isEmpty ? nil : rest
    return ask(
      .lookupRecords(zoneID: zoneID, recordNames: names), for: .lookingUp(zoneID, names), in: session, at: now)
  }

  /// Merges the cloud's versions of records that could not be saved; what is left to send goes with the next batch.
  mutating func lookedUp(
    _ names: [Name], in zoneID: ZoneID, _ results: [RecordResult], _ session: inout SyncSession, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    let sweeping = memory.zone(zoneID).flatMap { $0.isSweeping && session.sweptZones.contains(zoneID) ? $0 : nil }
    var merge = PageMerge(
      coordinator: self, zoneID: zoneID, session: session, isPage: sweeping != nil, now: now)
    var isComplete = session.lookups[zoneID] == nil
    for (name, result) in zip(names, results) {
      switch result {
      case .record(let record): try merge.take(.saved(record), using: &generator)
      case .deleted: try merge.take(.deleted(recordName: name, changeTag: ChangeTag("")), using: &generator)
      case .failed(_, let error) where error.code == .unknownItem:
        try merge.take(.deleted(recordName: name, changeTag: ChangeTag("")), using: &generator)
      case .failed(_, let error):
        // What is not known of the record now would be asked for again and again before it may be sent.
        session.setback = error
        session.isDoneSending = true
        // Nor may what is left of a full fetch's look end it without this record.
        session.lookups[zoneID] = nil
        isComplete = false
      }
    }
    if var state = sweeping, isComplete {
      state.isSweeping = false
      merge.draft.memory.setZone(state)
    }
    try keep(merge, &session, at: now)
    session.looked(at: names, in: zoneID)
    return merge.effects(pageOf: nil, moreComing: false)
  }

  /// Their zone is not there, so what the user deleted is not either; the others are for the next batch to find out about.
  mutating func forgetDeleted(_ names: [Name], in zoneID: ZoneID, at now: Moment) throws(StoreError) {
    var draft = draft(at: now)
    for name in names {
      let recordID = RecordID(recordName: name, zoneID: zoneID)
      guard let record = try store.record(recordID), record.local == nil, record.server == nil else { continue }
      draft.remove(recordID)
    }
    try commit(draft)
  }
}

extension ZoneChangesResult {
  /// The zone that the result is about.
  fileprivate var zoneID: ZoneID {
    switch self {
    case .changes(let changes): changes.zoneID
    case .failed(let zoneID, _): zoneID
    }
  }
}
