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
  /// in the store. `isAfterLoss` tells whether the cloud said that it lost what it had, and `end` when the zone ended, by
  /// the cloud's clock. Returns nil if the device does not know the zone: then everything that it has of it was written
  /// after the device learned of an end, or before it met the zone, and is sent.
  func zoneGone(
    _ zoneID: ZoneID, _ reason: ZoneRemoval.Reason, end: WallTime? = nil, isAfterLoss: Bool = false,
    in draft: inout DeviceDraft, at now: Moment
  ) throws(StoreError) -> ZoneLoss? {
    guard memory.zone(zoneID) != nil else { return nil }
    let records = try store.records(in: zoneID, metBefore: .max)
    // The app has already decided, or the zone was never in the cloud: all of its records are pending already.
    guard reason != .lost || records.isEmpty || records.contains(where: { $0.server != nil }) else {
      draft.memory.setZone(unread(zoneID, isAfterLoss: isAfterLoss))
      return ZoneLoss(isToCreate: true, effects: [])
    }
    let removal = ZoneRemoval(zoneID: zoneID, reason: reason, records: records)
    let choice = configuration.merging.zoneRemovalRule?(removal) ?? ZoneRemoval.usualChoice(removal)
    guard choice == .uploadAgain, reason != .purged else {
      let kept = newer(records, than: end)
      let saved = savedLater(records, than: end)
      let effects = try dropZone(zoneID, records, offering: kept, keeping: saved, reason, in: &draft, at: now)
      return ZoneLoss(isToCreate: !kept.isEmpty, effects: effects)
    }
    return ZoneLoss(
      isToCreate: !records.isEmpty,
      effects: try keepZone(zoneID, records, isAfterLoss: isAfterLoss, in: &draft, at: now))
  }

  /// The records that the user made after the zone ended, which are new ones, with those to which they refer. None if the
  /// cloud does not say when it ended: then nothing tells them from records of the zone.
  private func newer(_ records: [LocalRecord], than end: WallTime?) -> [LocalRecord] {
    guard let end else { return [] }
    let offset = memory.integer(.clockOffset) ?? 0
    var open = records.filter { record in
      guard record.local != nil, record.server == nil, let since = record.pendingSince else { return false }
      return since.advanced(byMilliseconds: offset) > end
    }
    guard !open.isEmpty else { return [] }
    let all = Dictionary(records.map { ($0.recordID.recordName, $0) }, uniquingKeysWith: { first, _ in first })
    var kept: [Name: LocalRecord] = [:]
    while let record = open.popLast() {
      guard let local = record.local, kept.updateValue(record, forKey: record.recordID.recordName) == nil else {
        continue
      }
      open += ReferenceTargets.names(in: local, of: record.recordID).compactMap { kept[$0] == nil ? all[$0] : nil }
    }
    return records.compactMap { kept[$0.recordID.recordName] }
  }

  /// The records that the cloud saved after the zone ended, so that they are those of the zone that has its name now.
  private func savedLater(_ records: [LocalRecord], than end: WallTime?) -> [LocalRecord] {
    guard let end else { return [] }
    return records.filter { $0.server.map { $0.modified.at > end } ?? false }
  }

  /// Removes a zone. Its unsent edits are moved to the journal, but for those records of `new`, which are sent as new ones,
  /// and of `saved`, which stay as they are.
  private func dropZone(
    _ zoneID: ZoneID, _ all: [LocalRecord], offering new: [LocalRecord], keeping saved: [LocalRecord],
    _ reason: ZoneRemoval.Reason, in draft: inout DeviceDraft, at now: Moment
  ) throws(StoreError) -> [Effect] {
    let stays = Set((new + saved).map(\.recordID))
    let records = all.filter { !stays.contains($0.recordID) }
    // The journal zone's own records report entries that the device keeps in its journal anyway.
    let isJournal = zoneID == configuration.traits.journalZone
    let pending = isJournal ? [] : records.filter { $0.pendingSince != nil }
    for record in pending {
      try draft.journal(journal(at: now).discarded(record, rule: "zoneDeleted"), in: store)
    }
    draft.removeZone(zoneID)
    // The device may have sent records to another zone of that name already.
    draft.memory.set(.forgottenAt, cloudTime(at: now))
    for record in new { draft.offer(record) }
    // What was saved may be gone again, so the new zone is read as a whole.
    if !saved.isEmpty { draft.memory.setZone(.unread(zoneID)) }
    for var record in saved {
      record.fullFetch = 0
      draft.put(record)
    }
    let seen = isJournal ? [] : records.filter { $0.local != nil }.map(\.recordID)
    return [.fact(.zoneRemoved(zoneID, discarded: pending.count, isPurge: reason == .purged))]
      + (seen.isEmpty ? [] : [.remoteChange(seen)])
  }

  /// Marks all of a zone's records as pending, because the cloud has none of them any more. Those that only the cloud
  /// writes are removed.
  private func keepZone(
    _ zoneID: ZoneID, _ all: [LocalRecord], isAfterLoss: Bool, in draft: inout DeviceDraft, at now: Moment
  ) throws(StoreError) -> [Effect] {
    let derived = all.filter { configuration.traits.derivedTypes.contains($0.recordType) }.map(\.recordID)
    let records = all.filter { !configuration.traits.derivedTypes.contains($0.recordType) }
    for id in derived { draft.remove(id) }
    for record in records {
      if zoneID != configuration.traits.journalZone {
        try draft.keepDeletion(of: record, by: journal(at: now), in: store)
      }
      draft.offer(record)
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
    _ zoneID: ZoneID, _ reason: ZoneRemoval.Reason, end: WallTime? = nil, isAfterLoss: Bool = false, at now: Moment
  ) throws(StoreError) -> ZoneLoss? {
    var draft = draft(at: now)
    let loss = try zoneGone(zoneID, reason, end: end, isAfterLoss: isAfterLoss, in: &draft, at: now)
    try commit(draft)
    return loss
  }

  /// Stores that the zone that the device knows ended, and that another one of its name exists, which is read from its
  /// beginning.
  func zoneReplaced(_ zoneID: ZoneID, by ending: ZoneEnding, in draft: inout DeviceDraft, at now: Moment)
    throws(StoreError) -> [Effect]
  {
    let loss = try zoneGone(zoneID, ZoneRemoval.Reason(ending.reason), end: ending.at, in: &draft, at: now)
    var state = draft.memory.zone(zoneID) ?? .unread(zoneID)
    state.isStale = true
    draft.memory.setZone(state)
    return loss?.effects ?? []
  }

  /// Stores that the cloud refused a zone's token as expired. The next fetch reads the zone's feed from the beginning.
  /// After a loss in the cloud, it also offers what the cloud lacks. If the zone was deleted and created again since, its
  /// records go first.
  package mutating func tokenExpired(
    of zoneID: ZoneID, after ending: ZoneEnding? = nil, isAfterLoss: Bool = false, at now: Moment
  ) throws(StoreError) -> [Effect] {
    var draft = draft(at: now)
    if let ending {
      let effects = try zoneReplaced(zoneID, by: ending, in: &draft, at: now)
      try commit(draft)
      return [.fact(.tokenExpired(zoneID))] + effects
    }
    var state = memory.zone(zoneID) ?? .unread(zoneID)
    state.token = nil
    state.beginFullFetch()
    if isAfterLoss { state.isAfterLoss = true }
    draft.memory.setZone(state)
    try commit(draft)
    return [.fact(.tokenExpired(zoneID))]
  }
}
