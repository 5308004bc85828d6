import ZoneKitRecords

/// Sends local changes, in batches of one zone.
extension CloudKitConversation {
  /// The next request for sending: lookups of records in conflict, missing zones, and then batches; nil if there is
  /// nothing to send now.
  mutating func sendAll(
    _ session: inout SyncSession, _ ledger: inout Ledger<some DeviceStore>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep? {
    if let zoneID = sync.feeds.firstWithLookups { return askForLookups(in: zoneID, ledger) }
    if let zoneID = sync.feeds.firstToCreate {
      sync.feeds[zoneID].creating()
      return ask(.modifyZones([.create(zoneID)]), for: .creatingZone(zoneID))
    }
    if let step = try send(&session, &ledger, at: now, using: &generator) { return step }
    // Each round may let children of the records of the round before go.
    guard session.hasMoved, !sync.sending.isDone else { return nil }
    let released = try ledger.releaseWaiting(except: sync.sending.released, at: now)
    guard !released.isEmpty else { return nil }
    sync.sending.released(released)
    return try next(&session, &ledger, at: now, using: &generator).after(released.map { .fact(.released($0)) })
  }

  /// The request for the next batch, or a request that has to come before it; nil if there is nothing to send now.
  mutating func send(
    _ session: inout SyncSession, _ ledger: inout Ledger<some DeviceStore>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep? {
    let feeds = sync.feeds
    // A cloud that decides conflicts recognises a record that it has already got.
    let mayRepeat = !session.hasToFetch || ledger.configuration.traits.arbiter == .cloud
    let waiting =
      sync.sending.isDone
      ? nil
      : try ledger.nextToSend(
        session, except: sync.sending.heldZones, limit: sync.sending.batchLimit,
        isRead: { mayRepeat || feeds.isRead($0) }, at: now)
    guard let waiting else { return nil }
    guard !sync.sending.isOver(waiting.zoneID, rounds: ledger.configuration.limits.rounds) else {
      let error = CloudError(.serverRecordChanged, "the cloud keeps refusing versions that it holds itself")
      hold(waiting.zoneID, .sending, error, &session, at: now)
      return try next(&session, &ledger, at: now, using: &generator)
    }
    let unsure = waiting.unconfirmedDeletions
    if !unsure.isEmpty {
      sync.feeds[waiting.zoneID].lookUp(unsure)
      return sync.feeds.firstWithLookups.map { askForLookups(in: $0, ledger) }
    }
    let (batch, effects) = try ledger.send(waiting, limit: sync.sending.batchLimit, at: now)
    guard let batch else { return try next(&session, &ledger, at: now, using: &generator).after(effects) }
    return ask(.modifyRecords(batch.request), for: .sending(batch.sent)).after(effects)
  }

  /// The cloud's results for the records of a batch arrived.
  mutating func sent(
    _ batch: SentBatch, _ results: [RecordResult], _ session: inout SyncSession,
    _ ledger: inout Ledger<some DeviceStore>, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    guard results.count == batch.names.count else {
      let error = CloudError(
        .internalError, "the cloud answered \(results.count) of \(batch.names.count) operations")
      hold(batch.zoneID, .sending, error, &session, at: now)
      return []
    }
    if let gone = results.compactMap(\.zoneError).first { return try refused(batch, gone, &session, &ledger, at: now) }
    let settlement = try ledger.settle(batch, results, &session, at: now, using: &generator)
    sync.feeds[batch.zoneID].lookUp(settlement.lookups)
    sync.sending.lookedUp(settlement.doubted, in: batch.zoneID)
    if let error = settlement.setback { session.setBack(by: error) }
    if settlement.isFull || settlement.setback != nil { sync.sending.stop() }
    return settlement.effects
  }

  /// The cloud refused a whole batch.
  mutating func refused(
    _ batch: SentBatch, _ error: CloudError, _ session: inout SyncSession, _ ledger: inout Ledger<some DeviceStore>,
    at now: Moment
  ) throws(StoreError) -> [Effect] {
    switch error.code {
    case .zoneNotFound:
      return try zoneMissing(batch.zoneID, isAfterLoss: error.isAfterLoss, &session, &ledger, at: now)
    case .quotaExceeded:
      sync.sending.stop()
      return try ledger.cloudIsFull(at: now)
    case .zoneBusy:
      hold(batch.zoneID, .sending, error, &session, at: now)
      return []
    case .userDeletedZone:
      return try zonePurged(batch.zoneID, end: error.ending?.at, &session, &ledger, at: now)
    default:
      guard !sync.sending.refused(batch.names.count) else { return [] }
      return try ledger.quarantine(batch, error, at: now)
    }
  }
}

extension RecordResult {
  /// The error, if it concerns the record's whole zone; nil if it concerns only the record.
  fileprivate var zoneError: CloudError? {
    guard let error, error.code == .zoneNotFound || error.code == .userDeletedZone else { return nil }
    return error
  }
}
