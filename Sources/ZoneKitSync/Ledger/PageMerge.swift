import ZoneKitRecords

/// Merges versions of the cloud into one draft, and collects the effects.
struct PageMerge {
  let snapshot: MergeSnapshot
  /// The draft with the merged records.
  var draft: DeviceDraft
  /// The effects, except those for changed records that the user sees.
  var effects: [Effect] = []
  /// The records that changed for the user.
  private(set) var visible: [RecordID] = []
  /// The records that other devices changed, with those devices.
  private(set) var foreign: [(RecordID, String)] = []
  /// The latest modification by another device, by the cloud's clock.
  private(set) var newestModification: WallTime?
  /// The latest of those that a push should have announced.
  private(set) var newestAnnounced: WallTime?
  /// The commit time of the newest version that this device sent without receiving an answer, by the cloud's clock.
  private(set) var ownWriteAt: WallTime?
  /// The records that a full fetch did not see and that may exist. They have to be looked up.
  private(set) var unsure: [Name] = []
  /// The targets of references that were found, so that a page with children of one parent looks for it once.
  private var present: Set<Name> = []
  /// The number of records that a full fetch did not see and that are removed.
  var leftOut = 0
  /// The latest decisions about records of this device's journal; nil before the first one is needed.
  var latestDecisions: [RecordID: ConflictEntry]?

  /// A merge without versions.
  init(_ snapshot: MergeSnapshot, draft: DeviceDraft) {
    self.snapshot = snapshot
    self.draft = draft
  }

  /// Merges one version.
  mutating func add(
    _ change: RecordChange, in store: some DeviceStore, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    let recordID = RecordID(recordName: change.recordName, zoneID: snapshot.zoneID)
    let known = try draft.record(recordID, in: store)
    switch change {
    case .saved(let record):
      let version = ServerVersion(record)
      note(version, of: recordID, type: record.recordType)
      if known == nil, let deletion = try lostDeletion(of: recordID, record, in: store) {
        return try apply(met(version, by: deletion), to: recordID, in: store, using: &generator)
      }
      if snapshot.isAfterLoss, var record = known, record.isNewer(than: version),
        !snapshot.configuration.traits.derivedTypes.contains(record.recordType)
      {
        record.server = version
        return try apply(MergeStep.Outcome(record: record, isRevised: true), to: recordID, in: store, using: &generator)
      }
      if snapshot.isAfterLoss, !snapshot.isJournal, let known, known.local == nil, known.server != nil {
        return try apply(met(version, by: known), to: recordID, in: store, using: &generator)
      }
      if let offered = offered(known, against: record) {
        if snapshot.configuration.traits.arbiter == .cloud { return draft.offer(offered) }
        let outcome = step.saved(version, type: record.recordType, recordID: recordID, known: offered)
        if outcome.decision?.winner != .server {
          return try apply(outcome, to: recordID, in: store, using: &generator)
        }
      }
      try keep(known, replacedBy: version.content, in: store)
      let outcome = step.saved(version, type: record.recordType, recordID: recordID, known: known)
      if snapshot.isJournal, known == nil, let entry = ConflictRecord.entry(from: record, deviceID: deviceID),
        try draft.journal(entry, in: store)
      {
        effects.append(.fact(.conflict(entry)))
      }
      try apply(outcome, to: recordID, isNew: known?.local == nil, in: store, using: &generator)
      if outcome.isVisible, version.modified.author.deviceID != deviceID { trace(version, of: recordID) }
    case .deleted(_, let deletion):
      if step.isOutdated(deletion, known: known) { return }
      try keep(known, replacedBy: nil, in: store)
      try apply(step.deleted(known: known, deleter: nil), to: recordID, in: store, using: &generator)
    }
  }

  /// Keeps the device's version in the journal if the cloud's replaces it after a loss: the cloud's need not be based on
  /// it.
  private mutating func keep(
    _ known: LocalRecord?, replacedBy content: RecordContent?, in store: some DeviceStore
  ) throws(StoreError) {
    guard snapshot.isAfterLoss, !snapshot.isJournal, let known, known.local != nil, known.local != content,
      !known.isPending
    else { return }
    try draft.journal(journal.discarded(known, rule: "changesLost"), in: store)
  }

  /// Removes the records that a full fetch did not see: they were deleted while the token was invalid, as far as
  /// the cloud tells. The journal keeps them. Records that were never in the cloud are kept. After a loss in the cloud, records that devices write are offered again instead.
  mutating func removeLeftovers(
    _ state: ZoneState, in store: some DeviceStore, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    var offered = 0
    for stored in try store.records(in: snapshot.zoneID, metBefore: state.fullFetches) {
      guard let record = try draft.record(stored.recordID, in: store), record.fullFetch < state.fullFetches,
        let version = record.server
      else { continue }
      if snapshot.isAfterLoss, snapshot.isOffered(record) {
        offered += 1
        draft.offer(record)
        continue
      }
      // The feed may not show a version that was just saved. An edit is not removed for that. A server-arbitrated cloud
      // shows what was there when the full fetch began, and the record may have been saved since.
      guard snapshot.configuration.traits.arbiter == .device, !snapshot.mayBeInvisible(version), !record.isPending,
        record.sent == nil
      else {
        unsure.append(record.recordID.recordName)
        continue
      }
      try leaveOut(record, in: store)
      try apply(step.deleted(known: record, deleter: nil), to: record.recordID, in: store, using: &generator)
    }
    if offered > 0 { effects.append(.fact(.zoneLost(snapshot.zoneID, records: offered))) }
    reportLeftOut()
  }

  /// The effects after the draft is committed. `count` is the number of records of a feed page; nil for looked-up
  /// records.
  func effects(pageOf count: Int?, moreComing: Bool) -> [Effect] {
    let page = count.map { Effect.fact(.pageMerged(snapshot.zoneID, records: $0, moreComing: moreComing)) }
    return (page.map { [$0] } ?? []) + effects + (visible.isEmpty ? [] : [.remoteChange(visible)])
  }

  var deviceID: String { draft.memory.deviceID }

  /// Whether this device may have sent that version and forgotten it since, in a reset or with a zone. A store that never
  /// forgot anything knows all that it sent, also before its first fetch.
  private func mayBeForgotten(_ version: ServerVersion?) -> Bool {
    guard let version, let forgottenAt = draft.memory.time(.forgottenAt) else { return false }
    let isFirstFetch =
      draft.memory.zone(snapshot.zoneID).map { $0.isInFullFetch && $0.fullFetches == 1 } ?? true
    return isFirstFetch || version.modified.at <= forgottenAt.advanced(byMilliseconds: Self.lateRequestWindow)
  }

  /// The time in which a request that was under way when the device forgot it may still be carried out, in milliseconds:
  /// twice that after which a device gives a request up.
  private static var lateRequestWindow: Int64 { 120_000 }

  var journal: ConflictJournal {
    ConflictJournal(
      deviceID: deviceID, now: snapshot.now.wall, ignoredField: snapshot.configuration.ignoredField)
  }

  var step: MergeStep {
    // Two devices that decided one conflict wrote the same record. Which of the two versions the cloud has is
    // irrelevant.
    let policy =
      snapshot.isJournal
      ? MergePolicy { _ in Resolution(.adoptServer, rule: "journal") } : snapshot.configuration.merging.policy
    let configuration = snapshot.configuration
    return MergeStep(
      deviceID: deviceID, deleteRule: configuration.merging.deleteRule, policy: policy,
      arbiter: configuration.traits.arbiter, ignoredField: configuration.ignoredField,
      isPlainDatabase: configuration.traits.isPlainDatabase)
  }

  private mutating func note(_ version: ServerVersion, of recordID: RecordID, type: Name) {
    let device = version.modified.author.deviceID
    guard device != deviceID else { return }
    foreign.append((recordID, device))
    let time = version.modified.at
    newestModification = max(newestModification ?? time, time)
    guard snapshot.configuration.traits.announcedTypes?.contains(type) ?? true else { return }
    newestAnnounced = max(newestAnnounced ?? time, time)
  }

  private mutating func apply(
    _ outcome: MergeStep.Outcome, to recordID: RecordID, isNew: Bool = false, in store: some DeviceStore,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    if var record = outcome.record {
      if outcome.isRevised { record.revision = draft.memory.nextRevision() }
      if snapshot.isPage { record.fullFetch = draft.memory.zone(snapshot.zoneID)?.fullFetches ?? 0 }
      draft.put(record)
    } else {
      draft.remove(recordID)
    }
    if outcome.isVisible, !snapshot.isJournal { try show(recordID, outcome.record?.local, isNew: isNew, in: store) }
    if outcome.isOwnWrite {
      ownWriteAt = [ownWriteAt, outcome.record?.server?.modified.at].compactMap { $0 }.max()
      effects.append(.fact(.recognisedOwnWrite(recordID)))
    }
    // After a loss, a version by this device's ID that it does not know is one that it replaced or deleted. After a reset
    // it may be one that the device wrote before.
    if outcome.isClone, !snapshot.isAfterLoss, !mayBeForgotten(outcome.record?.server) {
      let newID = RandomIdentifier.uuid(using: &generator)
      draft.memory.set(.deviceID, newID)
      // The copy of this device has the same push token, and one token cannot serve two devices.
      draft.memory.set(.pushToken, String?.none)
      effects.append(.fact(.cloneDetected(recordID, newDeviceID: newID)))
    }
    if let decision = outcome.decision, !snapshot.isJournal {
      let entry = journal.entry(for: decision)
      effects += try draft.publish(entry, in: snapshot.configuration.reportZone, store: store)
    }
  }

  /// Shows a record to the user or holds it back: a record that the user has not seen yet waits for the records to
  /// which it refers.
  private mutating func show(
    _ recordID: RecordID, _ content: RecordContent?, isNew: Bool, in store: some DeviceStore
  ) throws(StoreError) {
    let isWaiting = draft.memory.pendingReferences.contains(recordID)
    if isWaiting || (isNew && snapshot.isPage), let content {
      let missing = try missingTargets(of: recordID, content, in: store)
      guard missing.isEmpty else {
        draft.memory.changePendingReferences { $0.keep(recordID, until: missing) }
        return
      }
    }
    if isWaiting { draft.memory.changePendingReferences { $0.forget(recordID) } }
    visible.append(recordID)
    guard content != nil, !draft.memory.pendingReferences.isEmpty else { return }
    var released: [RecordID] = []
    draft.memory.changePendingReferences { released = $0.arrived(recordID) }
    visible += released
  }

  private mutating func missingTargets(
    of recordID: RecordID, _ content: RecordContent, in store: some DeviceStore
  ) throws(StoreError) -> [Name] {
    var missing: [Name] = []
    for name in ReferenceTargets.names(in: content, of: recordID) where !present.contains(name) {
      let target = RecordID(recordName: name, zoneID: snapshot.zoneID)
      if try !draft.contains(target, in: store) || draft.memory.pendingReferences.contains(target) {
        missing.append(name)
      } else {
        present.insert(name)
      }
    }
    return missing
  }

  /// Shows the records that still wait for others, because the feed has been read to its end.
  mutating func endPendingReferences(in store: some DeviceStore) throws(StoreError) {
    guard !draft.memory.pendingReferences.isEmpty else { return }
    var ended: [(RecordID, missing: Name)] = []
    let zoneID = snapshot.zoneID
    draft.memory.changePendingReferences { ended = $0.end(zoneID) }
    for (recordID, name) in ended {
      visible.append(recordID)
      // All of the records that refer to each other are present.
      if try !draft.contains(RecordID(recordName: name, zoneID: zoneID), in: store) {
        effects.append(.fact(.shownWithoutTarget(recordID, missing: name)))
      }
    }
  }

  private mutating func trace(_ version: ServerVersion, of recordID: RecordID) {
    // A database without versions does not tell when a row was written.
    guard !snapshot.isJournal, version.modified.at > WallTime(milliseconds: 0) else { return }
    // A push that came before the commit announced another change of the same sync.
    let offset = draft.memory.integer(.clockOffset) ?? 0
    let push = snapshot.push.flatMap { push in
      push.receivedAt.advanced(byMilliseconds: offset) < version.modified.at ? nil : push
    }
    draft.traces.append(
      ChangeTrace(
        recordID: recordID, changeTag: version.changeTag, deviceID: version.modified.author.deviceID,
        committedAt: version.modified.at, notifiedAt: push?.sentAt, receivedAt: push?.receivedAt,
        fetchedAt: snapshot.startedAt, mergedAt: snapshot.now.wall))
  }
}

extension LocalRecord {
  /// Whether the cloud once had a newer version of the record than this one. The user's edit, if any, is based on it.
  fileprivate func isNewer(than version: ServerVersion) -> Bool {
    guard let server, server.changeTag != version.changeTag else { return false }
    return server.modified.at > version.modified.at
  }
}
