import ZoneKitRecords

/// Zones that are missing, gone or new.
extension SyncCoordinator {
  /// Whether this sync asks every zone that the device knows, also those that the database's feed does not list: a cloud
  /// that loses a zone tells nobody. That is so after a launch, for the user's own wish, and now and then.
  func isZoneCheckDue(for reasons: SyncReasons, at now: Moment) -> Bool {
    guard reasons != [.localChange] else { return false }
    guard let zonesCheckedAt, !reasons.contains(.manual) else { return true }
    return zonesCheckedAt.advanced(byMilliseconds: configuration.zonePeriod) <= now.monotonic
  }

  /// A zone that the device knows may have been deleted by somebody: the feed is asked before anything is made anew.
  mutating func zoneMissing(
    _ batch: SentBatch, _ session: inout SyncSession, at now: Moment
  ) throws(StoreError) -> [Effect] {
    let isKnown = memory.zone(batch.zoneID) != nil
    let times = session.missingZones.count { $0 == batch.zoneID }
    session.lookups[batch.zoneID] = nil
    session.missingZones.append(batch.zoneID)
    if isKnown, session.inquires(about: batch.zoneID) { return [] }
    guard times < Self.missingLimit else {
      session.setback = CloudError(.zoneNotFound, "zone \(batch.zoneID.zoneName) is gone again after it was created")
      session.isDoneSending = true
      return []
    }
    var draft = draft(at: now)
    let effects = isKnown ? try zoneGone(batch.zoneID, .lost, &session, in: &draft, at: now) : []
    try commit(draft)
    if !isKnown { session.zonesToCreate.append(batch.zoneID) }
    return effects
  }

  /// Takes in that a zone is gone from the cloud. The app is asked first, while everything is still there.
  func zoneGone(
    _ zoneID: ZoneID, _ reason: ZoneRemoval.Reason, _ session: inout SyncSession, in draft: inout DeviceDraft,
    at now: Moment
  ) throws(StoreError) -> [Effect] {
    guard memory.zone(zoneID) != nil || reason == .purged else { return [] }
    session.unseenZones.removeAll { $0 == zoneID }
    session.zonesToCreate.removeAll { $0 == zoneID }
    let records = try store.records(in: zoneID, sweptBefore: .max)
    // The app has decided before, or nothing of the zone was ever known to be there: all of it waits already.
    guard reason != .lost || records.isEmpty || records.contains(where: { $0.server != nil }) else {
      session.zonesToCreate.append(zoneID)
      draft.memory.setZone(.unread(zoneID))
      return []
    }
    let removal = ZoneRemoval(zoneID: zoneID, reason: reason, records: records)
    let choice = configuration.zoneRemovalRule?(removal) ?? ZoneRemoval.usualChoice(removal)
    guard choice == .uploadAgain, reason != .purged else {
      return try dropZone(zoneID, records, reason, in: &draft, at: now)
    }
    if !records.isEmpty { session.zonesToCreate.append(zoneID) }
    return keepZone(zoneID, records, in: &draft)
  }

  /// What was not sent yet is set aside in the journal.
  private func dropZone(
    _ zoneID: ZoneID, _ records: [LocalRecord], _ reason: ZoneRemoval.Reason, in draft: inout DeviceDraft,
    at now: Moment
  ) throws(StoreError) -> [Effect] {
    // The journal's own records tell of entries that the device keeps anyway.
    let isJournal = zoneID == configuration.journalZone
    let pending = isJournal ? [] : records.filter { $0.pendingSince != nil }
    for record in pending {
      let entry = ConflictJournal.discarded(record, rule: "zoneDeleted", at: now.wall, deviceID: deviceID)
      try draft.journal(entry, in: store)
    }
    draft.removeZone(zoneID)
    let seen = isJournal ? [] : records.filter { $0.local != nil }.map(\.recordID)
    return [.fact(.zoneRemoved(zoneID, discarded: pending.count, isPurge: reason == .purged))]
      + (seen.isEmpty ? [] : [.remoteChange(seen)])
  }

  /// The cloud holds nothing of the zone any more: all that the device has of it is to be sent again.
  private func keepZone(_ zoneID: ZoneID, _ records: [LocalRecord], in draft: inout DeviceDraft) -> [Effect] {
    for record in records {
      var record = record
      record.server = nil
      record.sent = nil
      record.sweep = 0
      if record.revision == 0 { record.revision = draft.memory.nextRevision() }
      draft.put(record)
    }
    if records.isEmpty { draft.removeZone(zoneID) } else { draft.memory.setZone(.unread(zoneID)) }
    return [.fact(.zoneLost(zoneID, records: records.count))]
  }

  mutating func created(
    _ zoneID: ZoneID, _ results: [ZoneResult], _ session: inout SyncSession, at now: Moment
  ) throws(StoreError) -> [Effect] {
    guard case .zone? = results.first else {
      if case .failed(_, let error)? = results.first { session.setback = error }
      session.isDoneSending = true
      return []
    }
    var draft = draft(at: now)
    if memory.zone(zoneID) == nil { draft.memory.setZone(.unread(zoneID)) }
    try commit(draft)
    // Should it be missing again, somebody may have deleted it since.
    session.inquiredZones.removeAll { $0 == zoneID }
    return [.fact(.zoneCreated(zoneID))]
  }
}
