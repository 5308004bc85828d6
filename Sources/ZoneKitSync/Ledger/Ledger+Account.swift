import ZoneKitRecords

/// Launches, changes of account, and resets.
extension Ledger {
  // MARK: Launch

  /// The app was launched. A store that never had an account gets this one, and the device gets a device ID.
  mutating func launch(
    account: Name?, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    var draft = draft(at: now)
    if draft.memory.text(.deviceID) == nil {
      draft.memory.set(.deviceID, RandomIdentifier.uuid(using: &generator))
      draft.memory.set(.account, account?.text)
    }
    draft.memory.subscriptionState = .unknown
    try commit(draft)
  }

  /// Restores a retry time that the cloud gave before the restart. It is limited, because the clock may have been set
  /// back since.
  mutating func holdBackAsAsked(at now: Moment) {
    guard let until = memory.time(.retryAfter), let askedAt = memory.time(.fetchLastFinishedAt) else { return }
    let wait = min(until.milliseconds - now.wall.milliseconds, until.milliseconds - askedAt.milliseconds)
    guard (1...Self.retryAfterLimit).contains(wait) else { return }
    gate.holdForServer(until: now.monotonic.advanced(byMilliseconds: wait))
  }

  /// The longest retry time that is accepted after a restart, in milliseconds: one day.
  private static var retryAfterLimit: Int64 { 86_400_000 }

  // MARK: The account and the device ID

  /// Another account signed in, or none. Unsent edits of the previous account are moved to the journal; everything else
  /// of it is removed, also the app's values. `appValues` are written then. With `restored` the records and values of
  /// nobody take the place of what is removed, and no edit is moved to the journal.
  mutating func changeAccount(
    to account: Name?, setting appValues: [AppValueChange] = [], restoring restored: Adoption? = nil, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    let old = memory.account
    var draft = draft(at: now)
    let adoption = if let restored { restored } else { try adoption(by: account) }
    let nobodys = adoption?.records ?? []
    let discarded = adoption == nil ? try setAsidePending(rule: "accountChanged", in: &draft, at: now) : 0
    let total = draft.memory.integer(.conflictTotal)
    draft.erase(.allButJournal)
    draft.appValues = Self.changes(adoption?.appValues ?? [:], appValues)
    draft.memory.set(.conflictTotal, total)
    draft.memory.set(.deviceID, RandomIdentifier.uuid(using: &generator))
    draft.memory.set(.account, account?.text)
    draft.memory.subscriptionState = .unknown
    for record in nobodys {
      var kept = record
      kept.revision = draft.memory.nextRevision()
      kept.fullFetch = 0
      draft.put(kept)
    }
    try commit(draft)
    return [.fact(.accountChanged(from: old, to: account, discarded: discarded))]
  }

  /// What was written while nobody was signed in, as it goes to an account that signs in; nil if nothing does.
  private func adoption(by account: Name?) throws(StoreError) -> Adoption? {
    guard memory.account == nil, let account else { return nil }
    guard let rule = configuration.merging.adoptionRule else {
      return configuration.merging.signInRule == .upload
        ? Adoption(account: account, records: try unsent(), appValues: [:]) : nil
    }
    let found = Adoption(
      account: account, records: try unsent().sorted { $0.revision < $1.revision }, appValues: try store.appValues())
    var adoption = try rule(found)
    var seen: Set<RecordID> = []
    for record in adoption.records where !seen.insert(record.recordID).inserted {
      throw StoreError(
        .failed, "two records become one; the app's rule has to leave one out",
        place: "record \(record.recordID.recordName)")
    }
    adoption.records = adoption.records.filter { $0.local != nil }.map {
      LocalRecord(recordID: $0.recordID, recordType: $0.recordType, local: $0.local)
    }
    return adoption
  }

  /// The changes that write those values and then carry out those changes, each key once.
  private static func changes(_ values: [String: DeviceValue], _ changes: [AppValueChange]) -> [AppValueChange] {
    let changed = Set(changes.map(\.key))
    return values.keys.sorted().filter { !changed.contains($0) }.map { AppValueChange($0, values[$0]) } + changes
  }

  /// Removes the push token, which the push service does not know any more.
  mutating func forgetPushToken(at now: Moment) throws(StoreError) {
    var draft = draft(at: now)
    draft.memory.set(.pushToken, String?.none)
    try commit(draft)
  }

  /// Gives the device a new device ID, because another device uses the present one, and removes the push token.
  mutating func takeNewName(_ newID: String, at now: Moment) throws(StoreError) {
    var draft = draft(at: now)
    draft.memory.set(.deviceID, newID)
    draft.memory.set(.pushToken, String?.none)
    try commit(draft)
  }

  // MARK: Resets

  /// A draft that performs a reset, and the number of unsent edits that it moves to the journal.
  func draft(
    of reset: StoreReset, at now: Moment
  ) throws(StoreError) -> (draft: DeviceDraft, discarded: Int) {
    var draft = draft(at: now)
    var discarded = 0
    switch reset {
    case .tokens:
      for zone in memory.zones {
        var zone = zone
        zone.token = nil
        zone.isStale = true
        zone.beginFullFetch()
        draft.memory.setZone(zone)
      }
    case .local(keepingPending: true):
      draft.keepsAppValues = true
      let pending = try unsent()
      draft.erase(.recordsAndZones)
      for record in pending {
        var kept = record
        kept.fullFetch = 0
        draft.put(kept)
      }
    case .local(keepingPending: false):
      draft.keepsAppValues = true
      discarded = try setAsidePending(rule: "reset", in: &draft, at: now)
      draft.erase(.recordsAndZones)
    }
    draft.memory.forgetDatabaseTokens()
    if reset != .tokens {
      draft.memory.set(.forgottenAt, cloudTime(at: now))
      draft.memory.set(.pushToken, String?.none)
      draft.memory.set(.quotaExceededAt, Int64?.none)
    }
    return (draft, discarded)
  }

  private func setAsidePending(
    rule: String, in draft: inout DeviceDraft, at now: Moment
  ) throws(StoreError) -> Int {
    let pending = try unsent().filter { $0.recordID.zoneID != configuration.traits.journalZone }
    for record in pending {
      try draft.journal(journal(at: now).discarded(record, rule: rule), in: store)
    }
    return pending.count
  }

  /// The records with content that the cloud does not have, including those in quarantine.
  private func unsent() throws(StoreError) -> [LocalRecord] {
    try store.pending(in: nil, after: 0, limit: .max)
      + store.quarantined(limit: .max).filter { $0.pendingSince != nil }
  }
}
