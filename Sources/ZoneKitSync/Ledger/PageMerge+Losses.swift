import ZoneKitRecords

/// What the cloud lost, as far as its answers tell.
extension PageMerge {
  /// The cloud does not have a record that was looked up.
  mutating func missing(
    _ name: Name, isAfterLoss: Bool, in store: some DeviceStore, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    let known = try draft.record(RecordID(recordName: name, zoneID: snapshot.zoneID), in: store)
    if isAfterLoss, let known, snapshot.isOffered(known), known.server != nil { return draft.offer(known) }
    if let known {
      if isAfterLoss || snapshot.isAfterLoss { try keepDeletion(of: known, in: store) }
      if snapshot.isPage, !known.isPending { try leaveOut(known, in: store) }
    }
    try add(.deleted(recordName: name, changeTag: ChangeTag("")), in: store, using: &generator)
  }

  /// A full fetch did not see a record. The journal keeps it: its user cannot know why it goes. In a database without a feed
  /// somebody has deleted it.
  mutating func leaveOut(_ record: LocalRecord, in store: some DeviceStore) throws(StoreError) {
    guard !snapshot.configuration.traits.isPlainDatabase else { return }
    leftOut += 1
    guard record.local != nil, !snapshot.isJournal,
      !snapshot.configuration.traits.derivedTypes.contains(record.recordType)
    else { return }
    try draft.journal(journal.discarded(record, rule: ConflictEntry.leftOut), in: store)
  }

  /// Reports the records that a full fetch did not see and that are removed.
  mutating func reportLeftOut() {
    guard leftOut > 0 else { return }
    effects.append(.fact(.leftoversRemoved(snapshot.zoneID, records: leftOut)))
    leftOut = 0
  }

  /// The device's record without what it knows of the cloud, if the cloud's version was created after a loss: another
  /// device offered it, perhaps an older one, so the two are compared as the versions of two devices. Nil otherwise. A
  /// version of a row does not tell when it was first there; a server-arbitrated cloud is offered what it would keep.
  func offered(_ known: LocalRecord?, against record: Record) -> LocalRecord? {
    let content = ServerVersion(record).content
    guard snapshot.isAfterLoss, !snapshot.isJournal, var known, snapshot.isOffered(known), known.server != nil,
      known.server?.changeTag != record.changeTag,
      record.created == record.modified || isKeptByCloud(known, instead: content)
    else { return nil }
    let ignored = snapshot.configuration.ignoredField
    guard known.local?.leavingOut(ignored) != content.leavingOut(ignored) else { return nil }
    known.server = nil
    known.sent = nil
    return known
  }

  private func isKeptByCloud(_ known: LocalRecord, instead content: RecordContent) -> Bool {
    snapshot.configuration.traits.arbiter == .cloud && wins(known.local, of: known, against: content)
  }

  /// Whether the app's rule keeps that content of a record against the cloud's, which is not based on it.
  private func wins(_ content: RecordContent?, of record: LocalRecord, against other: RecordContent) -> Bool {
    let conflict = Conflict(
      recordID: record.recordID, recordType: record.recordType, local: content, server: other, ancestor: nil)
    return step.policy.resolve(conflict).outcome == .keepLocal
  }

  /// A deletion could not be carried out, because the cloud had lost the record before.
  mutating func keepDeletion(of record: LocalRecord, in store: some DeviceStore) throws(StoreError) {
    guard !snapshot.isJournal else { return }
    try draft.keepDeletion(of: record, by: journal, in: store)
  }

  /// The deletion of a record that the cloud shows and this device does not have: its user deleted it, the cloud had lost
  /// it before, and now another device has offered it again. Nil if there is none, or if it was decided since.
  mutating func lostDeletion(
    of recordID: RecordID, _ record: Record, in store: some DeviceStore
  ) throws(StoreError) -> LocalRecord? {
    guard draft.memory.integer(.deletionsLost) != nil, !snapshot.isJournal,
      let entry = try latestDecision(about: recordID, in: store), entry.rule == ConflictJournal.deletionLost
    else { return nil }
    var lost = ServerVersion(record)
    // Another version by this device is one that its user made since.
    guard record.modified.author.deviceID != deviceID || entry.server == lost.content else { return nil }
    lost.changeTag = ChangeTag("")
    if let content = entry.server { lost.content = content }
    return LocalRecord(recordID: recordID, recordType: record.recordType, local: nil, server: lost)
  }

  /// The result if a deletion meets the version that another device offered, or that a copy of the cloud has. The deletion
  /// wins if that is the version that the user deleted, or one that loses against it; otherwise the app's rule decides.
  func met(_ version: ServerVersion, by deletion: LocalRecord) -> MergeStep.Outcome {
    var step = step
    if stands(deletion, against: version) { step.deleteRule = .deleteWins }
    return step.saved(version, type: deletion.recordType, recordID: deletion.recordID, known: deletion)
  }

  private func stands(_ deletion: LocalRecord, against version: ServerVersion) -> Bool {
    guard let deleted = deletion.server?.content, deleted != version.content else { return true }
    return wins(deleted, of: deletion, against: version.content)
  }

  private mutating func latestDecision(
    about recordID: RecordID, in store: some DeviceStore
  ) throws(StoreError) -> ConflictEntry? {
    if latestDecisions == nil {
      let entries = try store.conflicts(limit: .max)
      latestDecisions = Dictionary(entries.map { ($0.recordID, $0) }, uniquingKeysWith: { first, _ in first })
    }
    return latestDecisions?[recordID]
  }
}

extension DeviceDraft {
  /// The cloud does not have a record: it is sent as a new one.
  mutating func offer(_ record: LocalRecord) {
    var record = record
    record.offer()
    if record.revision == 0 { record.revision = memory.nextRevision() }
    put(record)
  }

  /// Writes the deletion of a record that the cloud lost before it learned of the deletion into the journal. Another
  /// device may offer the record again, and then it is deleted there.
  mutating func keepDeletion(
    of record: LocalRecord, by journal: ConflictJournal, in store: some DeviceStore
  ) throws(StoreError) {
    guard record.local == nil else { return }
    memory.set(.deletionsLost, 1)
    try self.journal(journal.lostDeletion(of: record), in: store)
  }
}
