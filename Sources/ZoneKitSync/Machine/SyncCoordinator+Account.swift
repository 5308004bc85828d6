import ZoneKitRecords

/// Accounts and resets: what a device forgets, and what it sets aside before.
extension SyncCoordinator {
  /// Another account is signed in, or none. The data of one never reaches the other: unsent edits are set aside in the
  /// journal, everything else goes. The same account changes nothing, but ends the cloud's refusal of it. Throws where the store fails.
  public mutating func accountChanged(
    to account: Name?, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    guard account != memory.account else {
      // Signed in again after the cloud refused the account.
      return refusal == nil ? [] : requestSyncIfNeeded(reason: .account, at: now, using: &generator)
    }
    let effects = try changeAccount(to: account, at: now, using: &generator)
    return effects + requestSyncIfNeeded(reason: .account, at: now, using: &generator)
  }

  mutating func changeAccount(
    to account: Name?, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    let old = memory.account
    var draft = draft(at: now)
    let isSignIn = old == nil && account != nil && configuration.signInRule == .upload
    let nobodys = isSignIn ? try unsent() : []
    let discarded = isSignIn ? 0 : try setAsidePending(rule: "accountChanged", in: &draft, at: now)
    let total = draft.memory.integer(.conflictTotal)
    draft.erase(.allButJournal)
    draft.memory.set(.conflictTotal, total)
    draft.memory.set(.deviceID, RandomIdentifier.uuid(using: &generator))
    draft.memory.set(.account, account?.text)
    draft.memory.set(.subscriptionState, "unknown")
    for record in nobodys {
      var kept = record
      kept.revision = draft.memory.nextRevision()
      kept.sweep = 0
      draft.put(kept)
    }
    // A disk that dies after the write has kept the account, which then needs all that a new one does.
    defer { if memory.account == account { beginAnew() } }
    try commit(draft)
    return [.fact(.accountChanged(from: old, to: account, discarded: discarded))]
  }

  /// Forgets what was under way for the account before, and what went wrong for it.
  private mutating func beginAnew() {
    abandonSync()
    backoff.reset()
    gate.endBackoff()
    refusal = nil
    lastPush = nil
    newestSeen = [:]
    awaited = AwaitedNews()
    lastCheck = nil
    zonesCheckedAt = nil
    tokenFailedAt = nil
    storm = StormDetector(limit: configuration.stormLimit, window: configuration.stormWindow)
    duties = Duties(
      registersToken: configuration.subscriptionID != nil, checksSubscription: configuration.subscriptionID != nil)
  }

  /// Forgets what a scripted reset says; the cloud is never touched. Throws where the store fails.
  public mutating func reset(
    _ reset: StoreReset, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    var draft = draft(at: now)
    var discarded = 0
    switch reset {
    case .tokens:
      for zone in memory.zones {
        var zone = zone
        zone.token = nil
        zone.isStale = true
        zone.sweep += 1
        zone.isSweeping = true
        draft.memory.setZone(zone)
      }
    case .local(keepingPending: true):
      let pending = try unsent()
      draft.erase(.recordsAndZones)
      for record in pending {
        var kept = record
        kept.sweep = 0
        draft.put(kept)
      }
    case .local(keepingPending: false):
      discarded = try setAsidePending(rule: "reset", in: &draft, at: now)
      draft.erase(.recordsAndZones)
    }
    draft.memory.set(.databaseToken, String?.none)
    draft.memory.set(.databaseTokenAt, Int64?.none)
    if reset != .tokens {
      // What was sent in the old name is forgotten, so it must not be taken for this device's own.
      draft.memory.set(.deviceID, RandomIdentifier.uuid(using: &generator))
      draft.memory.set(.pushToken, String?.none)
      draft.memory.set(.quotaExceededAt, Int64?.none)
    }
    // Before the disk is asked, which may fail after it has kept the reset: what is under way belongs to what is gone.
    abandonSync()
    gate.request(.reset, now: now.monotonic)
    try commit(draft)
    if reset != .tokens { replaceToken() }
    let fact = Effect.fact(.reset(reset, discarded: discarded))
    return [fact] + requestSyncIfNeeded(reason: .reset, at: now, using: &generator)
  }

  private func setAsidePending(
    rule: String, in draft: inout DeviceDraft, at now: Moment
  ) throws(StoreError) -> Int {
    let pending = try unsent().filter { $0.recordID.zoneID != configuration.journalZone }
    for record in pending {
      let entry = ConflictJournal.discarded(record, rule: rule, at: now.wall, deviceID: deviceID)
      try draft.journal(entry, in: store)
    }
    return pending.count
  }

  /// What the cloud does not hold, what waits in quarantine included.
  private func unsent() throws(StoreError) -> [LocalRecord] {
    try store.pending(in: nil, after: 0, limit: .max)
      + store.quarantined(limit: .max).filter { $0.pendingSince != nil }
  }
}
