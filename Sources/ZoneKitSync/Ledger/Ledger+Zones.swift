import ZoneKitRecords

/// The consequence of a zone that does not exist in the cloud any more.
package struct ZoneLoss {
  /// Whether the zone has to be created again, for the records that are uploaded again.
  package var isToCreate: Bool
  /// The effects.
  package var effects: [Effect]
}

/// Removed and new zones.
extension Ledger {
  /// Removes a zone from a draft, or marks all of its records as pending. The app decides, while the records are still
  /// in the store. `isAfterLoss` tells whether the cloud said that it lost what it had. Returns nil if the device does not
  /// know the zone.
  func zoneGone(
    _ zoneID: ZoneID, _ reason: ZoneRemoval.Reason, isAfterLoss: Bool = false, in draft: inout DeviceDraft,
    at now: Moment
  ) throws(StoreError) -> ZoneLoss? {
    guard memory.zone(zoneID) != nil || reason == .purged else { return nil }
    let records = try store.records(in: zoneID, metBefore: .max)
    // The app has already decided, or the zone was never in the cloud: all of its records are pending already.
    guard reason != .lost || records.isEmpty || records.contains(where: { $0.server != nil }) else {
      draft.memory.setZone(unread(zoneID, isAfterLoss: isAfterLoss))
      return ZoneLoss(isToCreate: true, effects: [])
    }
    let removal = ZoneRemoval(zoneID: zoneID, reason: reason, records: records)
    let choice = configuration.zoneRemovalRule?(removal) ?? ZoneRemoval.usualChoice(removal)
    guard choice == .uploadAgain, reason != .purged else {
      return ZoneLoss(isToCreate: false, effects: try dropZone(zoneID, records, reason, in: &draft, at: now))
    }
    return ZoneLoss(
      isToCreate: !records.isEmpty, effects: keepZone(zoneID, records, isAfterLoss: isAfterLoss, in: &draft))
  }

  /// Removes a zone. Its unsent edits are moved to the journal.
  private func dropZone(
    _ zoneID: ZoneID, _ records: [LocalRecord], _ reason: ZoneRemoval.Reason, in draft: inout DeviceDraft,
    at now: Moment
  ) throws(StoreError) -> [Effect] {
    // The journal zone's own records report entries that the device keeps in its journal anyway.
    let isJournal = zoneID == configuration.journalZone
    let pending = isJournal ? [] : records.filter { $0.pendingSince != nil }
    for record in pending {
      try draft.journal(journal(at: now).discarded(record, rule: "zoneDeleted"), in: store)
    }
    draft.removeZone(zoneID)
    let seen = isJournal ? [] : records.filter { $0.local != nil }.map(\.recordID)
    return [.fact(.zoneRemoved(zoneID, discarded: pending.count, isPurge: reason == .purged))]
      + (seen.isEmpty ? [] : [.remoteChange(seen)])
  }

  /// Marks all of a zone's records as pending, because the cloud has none of them any more. Those that only the cloud
  /// writes are removed.
  private func keepZone(
    _ zoneID: ZoneID, _ all: [LocalRecord], isAfterLoss: Bool, in draft: inout DeviceDraft
  ) -> [Effect] {
    let derived = all.filter { configuration.derivedTypes.contains($0.recordType) }.map(\.recordID)
    let records = all.filter { !configuration.derivedTypes.contains($0.recordType) }
    for id in derived { draft.remove(id) }
    for record in records {
      var record = record
      record.offer()
      if record.revision == 0 { record.revision = draft.memory.nextRevision() }
      draft.put(record)
    }
    if records.isEmpty {
      draft.removeZone(zoneID)
    } else {
      draft.memory.setZone(unread(zoneID, isAfterLoss: isAfterLoss))
    }
    return [.fact(.zoneLost(zoneID, records: records.count))] + (derived.isEmpty ? [] : [.remoteChange(derived)])
  }

  /// A zone that is read from its beginning, after a loss in the cloud if that, or an earlier answer, said so. The cloud
  /// may still have versions from before the loss.
  private func unread(_ zoneID: ZoneID, isAfterLoss: Bool) -> ZoneState {
    var state = ZoneState.unread(zoneID)
    state.isAfterLoss = isAfterLoss || memory.zone(zoneID)?.isAfterLoss ?? false
    return state
  }

  /// Stores that the cloud created a zone.
  package mutating func zoneCreated(_ zoneID: ZoneID, at now: Moment) throws(StoreError) {
    guard memory.zone(zoneID) == nil else { return }
    var draft = draft(at: now)
    draft.memory.setZone(.unread(zoneID))
    try commit(draft)
  }

  /// Stores that a zone was removed from the cloud. Returns nil if the device does not know the zone.
  package mutating func zoneGone(
    _ zoneID: ZoneID, _ reason: ZoneRemoval.Reason, isAfterLoss: Bool = false, at now: Moment
  ) throws(StoreError) -> ZoneLoss? {
    var draft = draft(at: now)
    let loss = try zoneGone(zoneID, reason, isAfterLoss: isAfterLoss, in: &draft, at: now)
    try commit(draft)
    return loss
  }

  /// Stores that the cloud refused a zone's token as expired. The next fetch reads the zone's feed from the beginning.
  /// After a loss in the cloud, it also offers what the cloud lacks.
  package mutating func tokenExpired(
    of zoneID: ZoneID, isAfterLoss: Bool = false, at now: Moment
  ) throws(StoreError) -> [Effect] {
    var draft = draft(at: now)
    var state = memory.zone(zoneID) ?? .unread(zoneID)
    state.token = nil
    state.beginFullFetch()
    if isAfterLoss { state.isAfterLoss = true }
    draft.memory.setZone(state)
    try commit(draft)
    return [.fact(.tokenExpired(zoneID))]
  }
}
