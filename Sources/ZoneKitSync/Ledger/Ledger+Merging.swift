import ZoneKitRecords

/// The result of merging a page of a zone's feed.
package struct MergedPage {
  /// The zone, with the owner's name that the device uses.
  package var zoneID: ZoneID
  /// Whether the page reports more changes but its token does not lead to them.
  package var isStuck: Bool
  /// The records that a full fetch, which ended with this page, did not see and that may exist. They have to be looked
  /// up.
  package var unsure: [Name]
  /// The effects.
  package var effects: [Effect]
}

/// The meaning of looked-up records for a full fetch that did not see them.
package enum FullFetchPart: Hashable, Sendable {
  /// They do not belong to a full fetch.
  case none
  /// Further records have to be looked up.
  case more
  /// The full fetch ends with them.
  case last
}

/// Merging what the cloud shows.
extension Ledger {
  /// The state that merging versions of a zone needs. `isPage` tells whether the versions come from the zone's feed.
  func mergeSnapshot(of zoneID: ZoneID, for session: SyncSession, isPage: Bool, at now: Moment) -> MergeSnapshot {
    MergeSnapshot(
      configuration: configuration, zoneID: zoneID, push: session.push, startedAt: session.startedAt, now: now,
      cloudTime: cloudTime(at: now), isPage: isPage, isAfterLoss: memory.zone(zoneID)?.isAfterLoss ?? false)
  }

  /// Stores a page of a zone's feed together with its token.
  package mutating func merge(
    _ changes: ZoneChanges, _ session: inout SyncSession, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> MergedPage {
    let zoneID = own(changes.zoneID)
    var merge = PageMerge(mergeSnapshot(of: zoneID, for: session, isPage: true, at: now), draft: pageDraft(at: now))
    // A zone that was never read is in a full fetch. The fetch has to count the records of its first page as seen.
    var state = merge.draft.memory.zone(zoneID) ?? .unread(zoneID)
    if configuration.traits.isPlainDatabase, !state.isInFullFetch { state.beginFullFetch() }
    merge.draft.memory.setZone(state)
    for change in changes.page.changes { try merge.add(change, in: store, using: &generator) }
    if !state.acknowledged.isEmpty { for change in changes.page.changes { state.saw(change.changeTag) } }
    let token = changes.token.unlessEmpty
    let isStuck = changes.moreComing && token.leadsNowhere(after: state.token)
    if isStuck {
      merge.effects.append(.fact(.tokenStuck(zoneID)))
      let error = CloudError(
        .internalError, "the feed of zone \(zoneID.zoneName) keeps promising more behind the same token")
      session.setBack(by: error, holding: .zones)
    }
    // The records of earlier pages will be in the feed again, or were deleted, which a feed that is read from its
    // beginning need not show.
    if token == nil, changes.moreComing { state.beginFullFetch() }
    state.token = token
    state.tokenAt = now.wall
    state.isStale = changes.moreComing
    if !changes.moreComing, state.isInFullFetch {
      try merge.removeLeftovers(state, in: store, using: &generator)
      if merge.unsure.isEmpty { state.endFullFetch() }
    }
    merge.draft.memory.setZone(state)
    if !changes.moreComing || isStuck { try merge.endPendingReferences(in: store) }
    try keep(merge, &session, at: now)
    session.readPage(records: changes.page.count)
    session.saw(merge.newestModification, announced: merge.newestAnnounced)
    pushes.announced.saw(merge.newestModification, in: zoneID)
    return MergedPage(
      zoneID: zoneID, isStuck: isStuck, unsure: merge.unsure,
      effects: merge.effects(pageOf: changes.page.count, moreComing: changes.moreComing))
  }

  /// Stores the cloud's versions of looked-up records. Returns the effects, and the error of a record that could not be
  /// looked up.
  package mutating func merge(
    _ results: [RecordResult], of names: [Name], in zoneID: ZoneID, endOf part: FullFetchPart,
    session: inout SyncSession, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> (effects: [Effect], failure: CloudError?) {
    let fullFetch = part == .none ? nil : memory.zone(zoneID).flatMap { $0.isInFullFetch ? $0 : nil }
    var merge = PageMerge(
      mergeSnapshot(of: zoneID, for: session, isPage: fullFetch != nil, at: now), draft: draft(at: now))
    var failure: CloudError?
    for (name, result) in zip(names, results) {
      switch result {
      case _ where !result.names(name):
        failure = CloudError(.internalError, "the cloud answered for another record than \(name)")
      case .record(let record), .kept(let record): try merge.add(.saved(record), in: store, using: &generator)
      case .deleted:
        try merge.add(.deleted(recordName: name, changeTag: ChangeTag("")), in: store, using: &generator)
      case .failed(_, let error) where error.code == .unknownItem:
        try merge.missing(name, isAfterLoss: error.isAfterLoss, in: store, using: &generator)
      case .failed(_, let error): failure = error
      }
    }
    merge.reportLeftOut()
    // A full fetch does not end as long as a record could not be looked up.
    if var state = fullFetch, part == .last, failure == nil {
      state.endFullFetch()
      merge.draft.memory.setZone(state)
    }
    try keep(merge, &session, at: now)
    return (merge.effects(pageOf: nil, moreComing: false), failure)
  }

  /// Stores a merge, with what it shows about the cloud's clock and about records that several devices overwrite.
  private mutating func keep(_ merge: PageMerge, _ session: inout SyncSession, at now: Moment) throws(StoreError) {
    try commit(merge.draft)
    cloudClock.heard(merge.ownWriteAt, at: now)
    session.merged(isVisible: !merge.visible.isEmpty)
    for (recordID, device) in merge.foreign { storm.changed(recordID, by: device, now: now.monotonic) }
  }

  /// Removes local deletions in a zone that does not exist, because the records do not exist either. The next batch
  /// finds out about the other records.
  package mutating func forgetDeleted(_ names: [Name], in zoneID: ZoneID, at now: Moment) throws(StoreError) {
    var draft = draft(at: now)
    for name in names {
      let recordID = RecordID(recordName: name, zoneID: zoneID)
      guard let record = try store.record(recordID), record.local == nil, record.server == nil else { continue }
      try draft.keepDeletion(of: record, by: journal(at: now), in: store)
      draft.remove(recordID)
    }
    try commit(draft)
  }

  /// Removes the token of the database's feed, which the cloud refuses. The feed is read from its beginning, and so is
  /// every zone's.
  mutating func forgetDatabaseToken(at now: Moment) throws(StoreError) -> [Effect] {
    var draft = draft(at: now)
    draft.memory.setDatabaseToken(nil, of: configuration.traits.scope, at: nil)
    for zone in memory.zones {
      var zone = zone
      zone.isStale = true
      draft.memory.setZone(zone)
    }
    try commit(draft)
    return [.fact(.tokenExpired(nil))]
  }
}
