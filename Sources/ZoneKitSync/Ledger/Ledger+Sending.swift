import ZoneKitRecords

/// Records of one zone that wait to be sent, in the order of their changes.
package struct WaitingRecords {
  /// The zone.
  package var zoneID: ZoneID
  /// The records, the oldest change first.
  package var records: [LocalRecord]

  /// The names of records that were deleted before the cloud confirmed them. They have to be looked up first: a
  /// deletion without a change tag could delete what another device made under that name.
  package var unconfirmedDeletions: [Name] {
    records.filter { $0.local == nil && $0.server == nil }.map(\.recordID.recordName)
  }
}

/// A batch to send.
package struct OutgoingBatch {
  /// The request.
  package var request: ModifyRecords
  /// The records, to match them with the results.
  package var sent: SentBatch
}

/// What remains to be done after the results of a batch.
package struct Settlement {
  /// The effects.
  package var effects: [Effect]
  /// The names of records whose version in the cloud has to be looked up.
  package var lookups: [Name]
  /// The names of records of which the cloud answered another version than was sent. They are sent again.
  package var doubted: [Name]
  /// Whether the account's storage is full.
  package var isFull: Bool
  /// An error because of which the rest is sent later.
  package var setback: CloudError?
}

/// Sends local changes: with change tags, parents first, deletions last.
extension Ledger {
  /// How long saves pause after the cloud reported that the storage is full, in milliseconds, unless the user requests
  /// a sync.
  private static var quotaPause: Int64 { 3_600_000 }

  /// The records for the next batch; nil if there is nothing to send now. Nothing is sent to the zones in `held`.
  ///
  /// A new record that was sent without an answer is sent again only if `isRead` confirms that the feeds of its zone
  /// were read: another device may have deleted it since, and it must not be created again.
  ///
  /// `limit` is the most records of the next batch; nil for the configured limit.
  package mutating func nextToSend(
    _ session: SyncSession, except held: Set<ZoneID> = [], limit: Int? = nil, isRead: (ZoneID) -> Bool = { _ in true },
    at now: Moment
  ) throws(StoreError) -> WaitingRecords? {
    // With full storage only deletions are sent, which free storage.
    let fullFor = fullFor(session, at: now)
    let deletesOnly = fullFor != nil
    func mayGo(_ record: LocalRecord) -> Bool {
      guard !deletesOnly || record.local == nil, !held.contains(record.recordID.zoneID) else { return false }
      let isUnconfirmed = record.local != nil && record.server == nil && record.sent != nil
      return !isUnconfirmed || isRead(record.recordID.zoneID)
    }
    if let waiting = try urgentToSend(where: mayGo, at: now) { return waiting }
    for type in configuration.traits.typeOrder {
      let limit = max(limit ?? configuration.limits.batch, 1)
      if let waiting = try firstToSend(ofType: type, limit: limit, where: mayGo, at: now) { return waiting }
    }
    guard let first = try firstToSend(where: mayGo, at: now) else {
      if let fullFor, try !store.pending(in: nil, after: 0, limit: 1).isEmpty { tryAgain(in: fullFor, at: now) }
      return nil
    }
    // From the first record on that may be sent: more records than a window may wait before it that cannot be sent now.
    let zoneID = first.recordID.zoneID
    let limit = configuration.limits.sendWindow
    let records = try store.pending(in: zoneID, after: first.revision - 1, limit: limit).filter {
      mayGo($0) && storm.heldUntil($0.recordID, now: now.monotonic) == nil
    }
    return WaitingRecords(zoneID: zoneID, records: records)
  }

  /// The record that the user wants to be sent first, with the new records to which it refers; nil if there is none, or
  /// if it cannot be sent now.
  private mutating func urgentToSend(
    where mayGo: (LocalRecord) -> Bool, at now: Moment
  ) throws(StoreError) -> WaitingRecords? {
    guard let recordID = urgent else { return nil }
    urgent = nil
    guard let record = try store.record(recordID), record.isPending, record.quarantine == nil, mayGo(record),
      !isHeldBack(record, at: now)
    else { return nil }
    var records = [record]
    var seen: Set<RecordID> = [recordID]
    var open = [record]
    while let referrer = open.popLast() {
      guard let local = referrer.local else { continue }
      for name in ReferenceTargets.names(in: local, of: referrer.recordID) {
        let target = RecordID(recordName: name, zoneID: recordID.zoneID)
        guard seen.insert(target).inserted, let found = try store.record(target), found.server == nil,
          found.isPending, found.quarantine == nil, mayGo(found)
        else { continue }
        records.append(found)
        open.append(found)
      }
    }
    return WaitingRecords(zoneID: recordID.zoneID, records: records)
  }

  /// The oldest pending record that is not held back. For a held record a sync is requested for the time when it may be
  /// sent.
  private mutating func firstToSend(
    where mayGo: (LocalRecord) -> Bool, at now: Moment
  ) throws(StoreError) -> LocalRecord? {
    var after: Int64 = 0
    // Usually the very first record may be sent, so only that one is read at first.
    var limit = 1
    while true {
      let page = try store.pending(in: nil, after: after, limit: limit)
      for record in page where mayGo(record) && !isHeldBack(record, at: now) { return record }
      guard let last = page.last, page.count == limit else { return nil }
      after = last.revision
      limit = configuration.limits.sendPage
    }
  }

  /// The oldest pending records of a type that are not held back, at most `limit`, of one zone; nil if there are none.
  /// No more are read than fit into a batch, so that thousands that wait are read once and not for each batch.
  private mutating func firstToSend(
    ofType type: Name, limit: Int, where mayGo: (LocalRecord) -> Bool, at now: Moment
  ) throws(StoreError) -> WaitingRecords? {
    var after: Int64 = 0
    while true {
      let page = try store.pending(ofType: type, after: after, limit: limit)
      var ready: [LocalRecord] = []
      for record in page where mayGo(record) && !isHeldBack(record, at: now) { ready.append(record) }
      if let zoneID = ready.first?.recordID.zoneID {
        return WaitingRecords(zoneID: zoneID, records: ready.filter { $0.recordID.zoneID == zoneID })
      }
      guard let last = page.last, page.count == limit else { return nil }
      after = last.revision
    }
  }

  /// Whether a record is held back because several devices keep overwriting it. Then a sync is requested for the time
  /// when it may be sent.
  private mutating func isHeldBack(_ record: LocalRecord, at now: Moment) -> Bool {
    guard let until = storm.heldUntil(record.recordID, now: now.monotonic) else { return false }
    gate.request(.retry, at: until)
    return true
  }

  /// For how many more milliseconds saves pause because the storage is full; nil if they do not, or if the user
  /// requested a retry.
  private func fullFor(_ session: SyncSession, at now: Moment) -> Int64? {
    guard let since = memory.time(.quotaExceededAt), !session.reasons.contains(.manual) else { return nil }
    let passed = now.wall.milliseconds - since.milliseconds
    return (0..<Self.quotaPause).contains(passed) ? Self.quotaPause - passed : nil
  }

  /// Requests a sync for that time. Another device may free storage, which this one does not notice.
  private mutating func tryAgain(in milliseconds: Int64, at now: Moment) {
    gate.request(.retry, at: now.monotonic.advanced(byMilliseconds: milliseconds))
  }

  /// Ends the pause, because the user may have freed storage.
  mutating func forgetFullCloud(at now: Moment) throws(StoreError) {
    var draft = draft(at: now)
    draft.memory.set(.quotaExceededAt, Int64?.none)
    try commit(draft)
  }

  /// The cloud reported full storage.
  package mutating func cloudIsFull(at now: Moment) throws(StoreError) -> [Effect] {
    var draft = draft(at: now)
    draft.memory.set(.quotaExceededAt, now.wall)
    try commit(draft)
    tryAgain(in: Self.quotaPause, at: now)
    return [.fact(.quotaExceeded)]
  }

  /// Makes a batch of at most `limit` of the waiting records and stores that they are sent. Records whose stored text
  /// cannot be read are quarantined, so that the others can be sent. The batch is nil if no record is left.
  package mutating func send(
    _ waiting: WaitingRecords, limit: Int, at now: Moment
  ) throws(StoreError) -> (OutgoingBatch?, [Effect]) {
    let plan = SendPlan(
      waiting.records, limit: limit, bytes: configuration.limits.batchBytes,
      isNumbered: configuration.traits.arbiter == .cloud, hasChangesOnly: configuration.traits.isPlainDatabase)
    let setAside = try setAside(plan.unreadable, at: now)
    guard !plan.records.isEmpty else { return (nil, setAside) }
    var effects: [Effect] = []
    var draft = draft(at: now)
    for record in plan.records {
      // Stored before it is sent, so that the cloud's copy is recognised as this device's own even if the answer is
      // lost.
      var sent = record
      sent.send(SentVersion(record.local), leavingOut: configuration.ignoredField)
      draft.put(sent)
      if let devices = storm.sent(record.recordID, now: now.monotonic) {
        draft.memory.set(.stormRecord, record.recordID.recordName.text)
        effects.append(.fact(.storm(record.recordID, devices: devices)))
      }
    }
    try commit(draft)
    let saves = plan.records.count { $0.local != nil }
    effects.append(.fact(.batchSent(waiting.zoneID, saves: saves, deletes: plan.records.count - saves)))
    let request = ModifyRecords(
      zoneID: waiting.zoneID, operations: plan.operations, isAtomic: configuration.limits.isAtomic)
    let names = plan.records.map(\.recordID.recordName)
    return (
      OutgoingBatch(request: request, sent: SentBatch(zoneID: waiting.zoneID, names: names)), setAside + effects
    )
  }

  private mutating func setAside(
    _ unreadable: [(LocalRecord, StoreError)], at now: Moment
  ) throws(StoreError) -> [Effect] {
    var effects: [Effect] = []
    var draft = draft(at: now)
    for (record, error) in unreadable {
      var kept = record
      kept.quarantine = .refused(error.description)
      draft.put(kept)
      effects.append(.fact(.quarantined(record.recordID, reason: error.description)))
    }
    try commit(draft)
    return effects
  }

  // MARK: Answers

  /// Stores the cloud's results for the records of a batch.
  package mutating func settle(
    _ batch: SentBatch, _ results: [RecordResult], _ session: inout SyncSession, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> Settlement {
    let snapshot = mergeSnapshot(of: batch.zoneID, for: session, isPage: false, at: now)
    var receipt = SendReceipt(snapshot, draft: draft(at: now), results: results)
    for (name, result) in zip(batch.names, results) { try receipt.add(result, of: name, in: store, using: &generator) }
    receipt.close(batch.zoneID)
    try commit(receipt.draft)
    cloudClock.heard(receipt.cloudTime, at: now)
    session.sentBatch()
    if receipt.isFull { tryAgain(in: Self.quotaPause, at: now) }
    session.merged(isVisible: !receipt.visible.isEmpty)
    let shown = receipt.visible.isEmpty ? [] : [Effect.remoteChange(receipt.visible)]
    return Settlement(
      effects: receipt.effects + shown, lookups: receipt.lookups, doubted: receipt.doubted, isFull: receipt.isFull,
      setback: receipt.setback ?? receipt.stalledError)
  }

  /// Quarantines the record of a batch of one that the cloud refuses.
  package mutating func quarantine(
    _ batch: SentBatch, _ error: CloudError, at now: Moment
  ) throws(StoreError) -> [Effect] {
    var effects: [Effect] = []
    var draft = draft(at: now)
    for name in batch.names {
      let recordID = RecordID(recordName: name, zoneID: batch.zoneID)
      if let record = try store.record(recordID) { effects += draft.putRefused(record, .refused(error.reason)) }
    }
    try commit(draft)
    return effects
  }
}
