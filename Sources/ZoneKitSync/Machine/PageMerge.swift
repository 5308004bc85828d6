import ZoneKitRecords

/// Merges versions that the cloud shows into one draft, and collects what there is to tell.
struct PageMerge<Store: DeviceStore> {
  private let store: Store
  private let configuration: CoordinatorConfiguration
  private let zoneID: ZoneID
  private let session: SyncSession
  private let now: Moment
  /// The time on the cloud's clock, as far as can be told.
  private let cloudTime: WallTime
  /// Whether the versions come from the zone's feed, which alone counts as meeting them in a full fetch.
  private let isPage: Bool
  var draft: DeviceDraft
  var effects: [Effect] = []
  /// Records that the user sees differently now.
  private(set) var visible: [RecordID] = []
  /// Records that other devices changed.
  private(set) var foreign: [(RecordID, String)] = []
  private(set) var newestModification: WallTime?
  /// When the newest of this device's own writes that it had not heard of was committed, by the cloud's clock.
  private(set) var ownWriteAt: WallTime?
  /// Records that a full fetch did not meet and that may be there all the same: they are to be looked up.
  private(set) var unsure: [Name] = []
  /// Targets that were met, so that a page of children of one parent looks for it once.
  private var present: Set<Name> = []

  init(coordinator: SyncCoordinator<Store>, zoneID: ZoneID, session: SyncSession, isPage: Bool = false, now: Moment) {
    store = coordinator.store
    configuration = coordinator.configuration
    self.zoneID = zoneID
    self.session = session
    self.now = now
    self.isPage = isPage
    cloudTime = coordinator.cloudTime(at: now)
    draft = coordinator.draft(at: now)
  }

  /// Takes in one version.
  mutating func take(_ change: RecordChange, using generator: inout some RandomNumberGenerator) throws(StoreError) {
    let recordID = RecordID(recordName: change.recordName, zoneID: zoneID)
    let known = try draft.record(recordID, in: store)
    switch change {
    case .saved(let record):
      let version = ServerVersion(record)
      note(version, of: recordID)
      let outcome = step.saved(version, type: record.recordType, recordID: recordID, known: known)
      if isJournal, known == nil, let entry = ConflictJournal.entry(from: record, deviceID: deviceID) {
        try journal(entry)
      }
      try apply(outcome, to: recordID, isNew: known?.local == nil, using: &generator)
      if outcome.isVisible, version.modified.author.deviceID != deviceID { trace(version, of: recordID) }
    case .deleted:
      try apply(step.deleted(known: known, deleter: nil), to: recordID, using: &generator)
    }
  }

  /// Takes out what a full fetch did not meet: it was deleted while the token was no good. What was never on the cloud
  /// stays.
  mutating func sweep(_ state: ZoneState, using generator: inout some RandomNumberGenerator) throws(StoreError) {
    var count = 0
    for stored in try store.records(in: zoneID, sweptBefore: state.sweep) {
      guard let record = try draft.record(stored.recordID, in: store), record.sweep < state.sweep,
        let version = record.server
      else { continue }
      // What somebody has just saved may be hidden as a whole; an edit is not given up for that.
      guard !isYoung(version), !record.isPending, record.sent == nil else {
        unsure.append(record.recordID.recordName)
        continue
      }
      try apply(step.deleted(known: record, deleter: nil), to: record.recordID, using: &generator)
      count += 1
    }
    if count > 0 { effects.append(.fact(.sweptAway(zoneID, records: count))) }
  }

  /// Whether a version is so new that the feed may not show it yet, though it is there (sync semantics, 2.4).
  private func isYoung(_ version: ServerVersion) -> Bool {
    cloudTime.milliseconds - version.modified.at.milliseconds < Self.youth
  }

  /// How old a version has to be for the feeds to show it for sure, in milliseconds.
  private static var youth: Int64 { 60_000 }

  /// What there is to tell once the draft is committed; `count` is that of a feed page, nil for looked-up records.
  func effects(pageOf count: Int?, moreComing: Bool) -> [Effect] {
    var told = effects
    if let count { told.insert(.fact(.pageMerged(zoneID, records: count, moreComing: moreComing)), at: 0) }
    if !visible.isEmpty { told.append(.remoteChange(visible)) }
    return told
  }

  private var deviceID: String { draft.memory.deviceID }

  private var isJournal: Bool { zoneID == configuration.journalZone }

  private var step: MergeStep {
    // Two devices that decided one conflict wrote one record; which of them the cloud holds makes no difference.
    let policy =
      isJournal ? MergePolicy { _ in Resolution(.adoptServer, rule: "journal") } : configuration.mergePolicy
    return MergeStep(deviceID: deviceID, deleteRule: configuration.deleteRule, policy: policy)
  }

  private mutating func note(_ version: ServerVersion, of recordID: RecordID) {
    let device = version.modified.author.deviceID
    guard device != deviceID else { return }
    foreign.append((recordID, device))
    newestModification = max(newestModification ?? version.modified.at, version.modified.at)
  }

  private mutating func apply(
    _ outcome: MergeStep.Outcome, to recordID: RecordID, isNew: Bool = false,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    if var record = outcome.record {
      if outcome.isRevised { record.revision = draft.memory.nextRevision() }
      if isPage { record.sweep = draft.memory.zone(zoneID)?.sweep ?? 0 }
      draft.put(record)
    } else {
      draft.remove(recordID)
    }
    if outcome.isVisible, !isJournal { try show(recordID, outcome.record?.local, isNew: isNew) }
    if outcome.isOwnWrite {
      ownWriteAt = [ownWriteAt, outcome.record?.server?.modified.at].compactMap { $0 }.max()
      effects.append(.fact(.recognisedOwnWrite(recordID)))
    }
    if outcome.isTwin {
      let newID = RandomIdentifier.uuid(using: &generator)
      draft.memory.set(.deviceID, newID)
      // The copy has the same push token; one address cannot serve two devices.
      draft.memory.set(.pushToken, String?.none)
      effects.append(.fact(.twinNoticed(recordID, newDeviceID: newID)))
    }
    if let decision = outcome.decision, !isJournal {
      let entry = ConflictJournal.entry(for: decision, at: now.wall, decidedBy: deviceID)
      try draft.publish(entry, in: configuration.journalZone, store: store)
      effects.append(.fact(.conflict(entry)))
    }
  }

  /// Tells of a record, or parks it: one that the user has not seen yet waits for those that it leans on.
  private mutating func show(_ recordID: RecordID, _ content: RecordContent?, isNew: Bool) throws(StoreError) {
    let isParked = draft.memory.parking.contains(recordID)
    if isParked || (isNew && isPage), let content {
      let missing = try missingTargets(of: recordID, content)
      guard missing.isEmpty else { return draft.memory.park { $0.park(recordID, behind: missing) } }
    }
    if isParked { draft.memory.park { $0.forget(recordID) } }
    visible.append(recordID)
    guard content != nil, !draft.memory.parking.isEmpty else { return }
    var released: [RecordID] = []
    draft.memory.park { released = $0.arrived(recordID) }
    visible += released
  }

  private mutating func missingTargets(of recordID: RecordID, _ content: RecordContent) throws(StoreError) -> [Name] {
    var missing: [Name] = []
    for name in ReferenceTargets.names(in: content, of: recordID) where !present.contains(name) {
      let target = RecordID(recordName: name, zoneID: zoneID)
      if try draft.record(target, in: store) == nil || draft.memory.parking.contains(target) {
        missing.append(name)
      } else {
        present.insert(name)
      }
    }
    return missing
  }

  /// The feed has told everything: what is still parked is shown as it is.
  mutating func endParking() throws(StoreError) {
    guard !draft.memory.parking.isEmpty else { return }
    var ended: [(RecordID, missing: Name)] = []
    let zoneID = zoneID
    draft.memory.park { ended = $0.end(zoneID) }
    for (recordID, name) in ended {
      visible.append(recordID)
      // Records that lean on each other are all there.
      if try draft.record(RecordID(recordName: name, zoneID: zoneID), in: store) == nil {
        effects.append(.fact(.shownWithoutTarget(recordID, missing: name)))
      }
    }
  }

  private mutating func journal(_ entry: ConflictEntry) throws(StoreError) {
    if try draft.journal(entry, in: store) { effects.append(.fact(.conflict(entry))) }
  }

  private mutating func trace(_ version: ServerVersion, of recordID: RecordID) {
    guard !isJournal else { return }
    let push = session.push
    draft.traces.append(
      ChangeTrace(
        recordID: recordID, changeTag: version.changeTag, deviceID: version.modified.author.deviceID,
        committedAt: version.modified.at, notifiedAt: push?.sentAt, receivedAt: push?.receivedAt,
        fetchedAt: session.startedAt, mergedAt: now.wall))
  }
}
