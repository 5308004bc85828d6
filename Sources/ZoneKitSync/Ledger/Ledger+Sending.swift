import ZoneKitRecords

/// Records of one zone that wait to be sent, in the order in which they were changed.
package struct WaitingRecords {
  /// The zone.
  package var zoneID: ZoneID
  /// The records, the one that was changed first in front.
  package var records: [LocalRecord]

  /// Those that were deleted before the cloud confirmed them: they are to be looked up first, for a deletion without a tag
  /// could hit what another device made of that name.
  package var unconfirmedDeletions: [Name] {
    records.filter { $0.local == nil && $0.server == nil }.map(\.recordID.recordName)
  }
}

/// A batch as it goes out.
package struct OutgoingBatch {
  /// What to ask.
  package var request: ModifyRecords
  /// The records, for their answers.
  package var sent: SentBatch
}

/// What the cloud's answer to a batch leaves to do.
package struct Settlement {
  /// What there is to report.
  package var effects: [Effect]
  /// Records whose cloud version has to be looked at.
  package var lookups: [Name]
  /// Whether the cloud is full.
  package var isFull: Bool
  /// An error after which the rest is tried later.
  package var setback: CloudError?
}

/// Sending what the user changed: by change tag, parents first, deletions last.
extension Ledger {
  /// How long the cloud is left alone after it said that it is full, in milliseconds, unless the user asks.
  private static var quotaPause: Int64 { 3_600_000 }

  /// The records that the next batch is made of; nil where nothing is to be sent now.
  package mutating func nextToSend(_ session: SyncSession, at now: Moment) throws(StoreError) -> WaitingRecords? {
    // A full cloud still takes deletions, which make room.
    let fullFor = fullFor(session, at: now)
    let deletesOnly = fullFor != nil
    guard let first = try firstToSend(deletesOnly: deletesOnly, at: now) else {
      if let fullFor, try !store.pending(in: nil, after: 0, limit: 1).isEmpty { tryAgain(in: fullFor, at: now) }
      return nil
    }
    // From the first one on: what waits before it may be more than a window of records that cannot go now.
    let zoneID = first.recordID.zoneID
    let limit = configuration.limits.sendWindow
    let records = try store.pending(in: zoneID, after: first.revision - 1, limit: limit).filter {
      (!deletesOnly || $0.local == nil) && storm.heldUntil($0.recordID, now: now.monotonic) == nil
    }
    return WaitingRecords(zoneID: zoneID, records: records)
  }

  /// The oldest waiting record that is not held back; a held one asks for a sync when its time comes.
  private mutating func firstToSend(deletesOnly: Bool, at now: Moment) throws(StoreError) -> LocalRecord? {
    var after: Int64 = 0
    // Mostly the very first one may go, so that it alone is read.
    var limit = 1
    while true {
      let page = try store.pending(in: nil, after: after, limit: limit)
      for record in page where !deletesOnly || record.local == nil {
        guard let until = storm.heldUntil(record.recordID, now: now.monotonic) else { return record }
        gate.request(.retry, at: until)
      }
      guard let last = page.last, page.count == limit else { return nil }
      after = last.revision
      limit = configuration.limits.sendPage
    }
  }

  /// For how many milliseconds more nothing is saved because the cloud said that it is full; nil where it did not lately,
  /// or where the user asked to try again.
  private func fullFor(_ session: SyncSession, at now: Moment) -> Int64? {
    guard let since = memory.time(.quotaExceededAt), !session.reasons.contains(.manual) else { return nil }
    let passed = now.wall.milliseconds - since.milliseconds
    return (0..<Self.quotaPause).contains(passed) ? Self.quotaPause - passed : nil
  }

  /// Space may come free on another device, which this one is not told.
  private mutating func tryAgain(in milliseconds: Int64, at now: Moment) {
    gate.request(.retry, at: now.monotonic.advanced(byMilliseconds: milliseconds))
  }

  /// The user may have made room, and knows better than an hour's pause.
  mutating func forgetFullCloud(at now: Moment) throws(StoreError) {
    var draft = draft(at: now)
    draft.memory.set(.quotaExceededAt, Int64?.none)
    try commit(draft)
  }

  /// The cloud said that it is full.
  package mutating func cloudIsFull(at now: Moment) throws(StoreError) -> [Effect] {
    var draft = draft(at: now)
    draft.memory.set(.quotaExceededAt, now.wall)
    try commit(draft)
    tryAgain(in: Self.quotaPause, at: now)
    return [.fact(.quotaExceeded)]
  }

  /// Makes a batch of at most `limit` of the waiting records and notes it as sent. Records whose stored text cannot be read
  /// are quarantined, so that the others go; the batch is nil where no other is left.
  package mutating func send(
    _ waiting: WaitingRecords, limit: Int, at now: Moment
  ) throws(StoreError) -> (OutgoingBatch?, [Effect]) {
    let plan = SendPlan(waiting.records, limit: limit, bytes: configuration.batchBytes)
    let setAside = try setAside(plan.unreadable, at: now)
    guard !plan.records.isEmpty else { return (nil, setAside) }
    var effects: [Effect] = []
    var draft = draft(at: now)
    for record in plan.records {
      // Noted before it goes, so that the cloud's copy is known as this device's own even if the answer is lost.
      var sent = record
      sent.send(SentVersion(record.local))
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
      zoneID: waiting.zoneID, operations: plan.operations, isAtomic: configuration.isAtomic)
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

  /// Keeps what the cloud answered to each record of a batch.
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
      effects: receipt.effects + shown, lookups: receipt.lookups, isFull: receipt.isFull,
      setback: receipt.setback ?? receipt.stalledError)
  }

  /// Quarantines a batch of one record that the cloud does not take.
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
