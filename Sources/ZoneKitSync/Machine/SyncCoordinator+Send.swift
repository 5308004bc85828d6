import ZoneKitRecords

/// Sending what the user changed: by change tag, parents first, deletions last.
extension SyncCoordinator {
  /// How often one sync hears that it must make a zone before it leaves it at that.
  static var missingLimit: Int { 3 }
  /// How long the cloud is left alone after it said that it is full, in milliseconds, unless the user asks.
  static var quotaPause: Int64 { 3_600_000 }

  /// Sends the next batch; nil where nothing is to be sent now.
  mutating func send(
    _ session: SyncSession, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect]? {
    guard !session.isDoneSending else { return nil }
    // A full cloud still takes deletions, which make room.
    let fullFor = fullFor(session, at: now)
    let deletesOnly = fullFor != nil
    guard let first = try firstToSend(deletesOnly: deletesOnly, at: now) else {
      if let fullFor, try !store.pending(in: nil, after: 0, limit: 1).isEmpty { tryAgain(in: fullFor, at: now) }
      return nil
    }
    guard session.rounds < configuration.bounds.rounds else {
      let error = CloudError(.serverRecordChanged, "the cloud keeps refusing versions that it holds itself")
      return try giveUp(session, error, at: now, using: &generator)
    }
    // From the first one on: what waits before it may be more than a window of records that cannot go now.
    let zoneID = first.recordID.zoneID
    let limit = configuration.bounds.sendWindow
    let window = try store.pending(in: zoneID, after: first.revision - 1, limit: limit).filter {
      (!deletesOnly || $0.local == nil) && storm.heldUntil($0.recordID, now: now.monotonic) == nil
    }
    // Deleted before the cloud confirmed it: a deletion without a tag could hit what another device made of that name.
    let unsure = window.filter { $0.local == nil && $0.server == nil }
    if !unsure.isEmpty {
      var session = session
      session.lookups[zoneID, default: []] += unsure.map(\.recordID.recordName)
      return askForLookups(session, at: now)
    }
    let plan = SendPlan(window, limit: session.batchLimit, bytes: configuration.batchBytes)
    let effects = try setAside(plan.unreadable, at: now)
    guard !plan.records.isEmpty else { return effects + (try advance(session, at: now, using: &generator)) }
    return effects + (try send(plan, in: zoneID, session, at: now))
  }

  /// Quarantines records whose stored text cannot be read, so that the others go.
  private mutating func setAside(
    _ unreadable: [(LocalRecord, StoreError)], at now: Moment
  ) throws(StoreError) -> [Effect] {
    var effects: [Effect] = []
    var draft = draft(at: now)
    for (record, error) in unreadable {
      var kept = record
      kept.quarantine = error.description
      draft.put(kept)
      effects.append(.fact(.quarantined(record.recordID, reason: error.description)))
    }
    try commit(draft)
    return effects
  }

  private mutating func send(
    _ plan: SendPlan, in zoneID: ZoneID, _ session: SyncSession, at now: Moment
  ) throws(StoreError) -> [Effect] {
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
    effects.append(.fact(.batchSent(zoneID, saves: saves, deletes: plan.records.count - saves)))
    let request = ModifyRecords(zoneID: zoneID, operations: plan.operations, isAtomic: configuration.isAtomic)
    let batch = SentBatch(zoneID: zoneID, names: plan.records.map(\.recordID.recordName))
    return effects + ask(.modifyRecords(request), for: .sending(batch), in: session, at: now)
  }

  /// The oldest waiting record that is not held back; a held one wants a sync when its time comes.
  private mutating func firstToSend(deletesOnly: Bool, at now: Moment) throws(StoreError) -> LocalRecord? {
    var after: Int64 = 0
    while true {
      let page = try store.pending(in: nil, after: after, limit: configuration.bounds.sendPage)
      for record in page where !deletesOnly || record.local == nil {
        guard let until = storm.heldUntil(record.recordID, now: now.monotonic) else { return record }
        gate.request(.retry, at: until)
      }
      guard let last = page.last, page.count == configuration.bounds.sendPage else { return nil }
      after = last.revision
    }
  }

  /// For how many milliseconds more nothing is saved because the cloud said that it is full; nil where it did not lately,
  /// or where somebody asked to try again.
  private func fullFor(_ session: SyncSession, at now: Moment) -> Int64? {
    guard let since = memory.time(.quotaExceededAt), !session.reasons.contains(.manual) else { return nil }
    let passed = now.wall.milliseconds - since.milliseconds
    return (0..<Self.quotaPause).contains(passed) ? Self.quotaPause - passed : nil
  }

  /// Space may come free on another device, of which nobody tells this one.
  private mutating func tryAgain(in milliseconds: Int64, at now: Moment) {
    gate.request(.retry, at: now.monotonic.advanced(byMilliseconds: milliseconds))
  }

  // MARK: Answers

  /// Takes in what became of each record of a batch.
  mutating func sent(
    _ batch: SentBatch, _ results: [RecordResult], _ session: inout SyncSession, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    guard results.count == batch.names.count else {
      session.setback = CloudError(
        .internalError, "the cloud answered \(results.count) of \(batch.names.count) operations")
      session.isDoneSending = true
      return []
    }
    if let gone = results.compactMap(\.zoneError).first { return try refused(batch, gone, &session, at: now) }
    var receipt = SendReceipt(coordinator: self, zoneID: batch.zoneID, session: session, now: now)
    receipt.expect(results)
    for (name, result) in zip(batch.names, results) { try receipt.take(result, of: name, using: &generator) }
    receipt.draft.memory.set(.sendLastAt, now.wall)
    // What the cloud holds goes with its zone, so the zone has to be known.
    if receipt.draft.memory.zone(batch.zoneID) == nil { receipt.draft.memory.setZone(.unread(batch.zoneID)) }
    receipt.draft.memory.set(.quotaExceededAt, receipt.isFull ? now.wall : nil)
    try commit(receipt.draft)
    noteCloudTime(receipt.cloudTime, at: now)
    if !receipt.lookups.isEmpty { session.lookups[batch.zoneID, default: []] += receipt.lookups }
    let setback = receipt.setback ?? receipt.standstill
    session.setback = setback ?? session.setback
    session.hasMoved = true
    session.isDoneSending = session.isDoneSending || receipt.isFull || setback != nil
    if receipt.isFull { tryAgain(in: Self.quotaPause, at: now) }
    session.hasVisibleChange = session.hasVisibleChange || !receipt.visible.isEmpty
    let told = receipt.visible.isEmpty ? [] : [Effect.remoteChange(receipt.visible)]
    return receipt.effects + told
  }

  /// Takes in that a batch as a whole was refused.
  mutating func refused(
    _ batch: SentBatch, _ error: CloudError, _ session: inout SyncSession, at now: Moment
  ) throws(StoreError) -> [Effect] {
    switch error.code {
    case .zoneNotFound: return try zoneMissing(batch, &session, at: now)
    case .quotaExceeded:
      var draft = draft(at: now)
      draft.memory.set(.quotaExceededAt, now.wall)
      try commit(draft)
      session.isDoneSending = true
      tryAgain(in: Self.quotaPause, at: now)
      return [.fact(.quotaExceeded)]
    case .userDeletedZone:
      var draft = draft(at: now)
      let effects = try zoneGone(batch.zoneID, .purged, &session, in: &draft, at: now)
      try commit(draft)
      session.lookups[batch.zoneID] = nil
      return effects
    default:
      guard batch.names.count > 1 else {
        session.batchLimit = min(max(configuration.batchLimit, 1), ModifyRecords.operationLimit)
        return try quarantine(batch, error, at: now)
      }
      session.batchLimit = max(1, batch.names.count / 2)
      return []
    }
  }

  /// One record alone that the cloud does not take.
  private mutating func quarantine(
    _ batch: SentBatch, _ error: CloudError, at now: Moment
  ) throws(StoreError) -> [Effect] {
    var effects: [Effect] = []
    var draft = draft(at: now)
    for name in batch.names {
      let recordID = RecordID(recordName: name, zoneID: batch.zoneID)
      if let record = try store.record(recordID) { effects += draft.putRefused(record, for: error.reason) }
    }
    try commit(draft)
    return effects
  }
}

extension RecordResult {
  /// Why the record's whole zone is out of reach; nil where the result is about the record alone.
  fileprivate var zoneError: CloudError? {
    guard let error, error.code == .zoneNotFound || error.code == .userDeletedZone else { return nil }
    return error
  }
}
