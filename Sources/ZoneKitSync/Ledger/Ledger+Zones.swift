import ZoneKitRecords

/// What a zone leaves behind that is gone from the cloud.
package struct ZoneLoss {
  /// Whether the zone is to be made anew, for the records that are to be sent again.
  package var isToCreate: Bool
  /// What there is to report.
  package var effects: [Effect]
}

/// Zones that are gone or new.
extension Ledger {
  /// Takes a zone out of a draft, or marks all of it as to be sent again. The app is asked first, while everything is still
  /// there. Returns nil where the device knows nothing of the zone.
  func zoneGone(
    _ zoneID: ZoneID, _ reason: ZoneRemoval.Reason, in draft: inout DeviceDraft, at now: Moment
  ) throws(StoreError) -> ZoneLoss? {
    guard memory.zone(zoneID) != nil || reason == .purged else { return nil }
    let records = try store.records(in: zoneID, metBefore: .max)
    // The app has decided before, or nothing of the zone was ever known to be there: all of it waits already.
    guard reason != .lost || records.isEmpty || records.contains(where: { $0.server != nil }) else {
      draft.memory.setZone(.unread(zoneID))
      return ZoneLoss(isToCreate: true, effects: [])
    }
    let removal = ZoneRemoval(zoneID: zoneID, reason: reason, records: records)
    let choice = configuration.zoneRemovalRule?(removal) ?? ZoneRemoval.usualChoice(removal)
    guard choice == .uploadAgain, reason != .purged else {
      return ZoneLoss(isToCreate: false, effects: try dropZone(zoneID, records, reason, in: &draft, at: now))
    }
    return ZoneLoss(isToCreate: !records.isEmpty, effects: keepZone(zoneID, records, in: &draft))
  }

  /// What was not sent yet is set aside in the journal.
  private func dropZone(
    _ zoneID: ZoneID, _ records: [LocalRecord], _ reason: ZoneRemoval.Reason, in draft: inout DeviceDraft,
    at now: Moment
  ) throws(StoreError) -> [Effect] {
    // The journal's own records report entries that the device keeps anyway.
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
      record.fullFetch = 0
      if record.revision == 0 { record.revision = draft.memory.nextRevision() }
      draft.put(record)
    }
    if records.isEmpty { draft.removeZone(zoneID) } else { draft.memory.setZone(.unread(zoneID)) }
    return [.fact(.zoneLost(zoneID, records: records.count))]
  }

  /// The cloud made a zone.
  package mutating func zoneCreated(_ zoneID: ZoneID, at now: Moment) throws(StoreError) {
    guard memory.zone(zoneID) == nil else { return }
    var draft = draft(at: now)
    draft.memory.setZone(.unread(zoneID))
    try commit(draft)
  }
}
