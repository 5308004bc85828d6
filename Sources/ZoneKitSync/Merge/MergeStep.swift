import ZoneKitRecords

/// Merges the cloud's state of one record with the device's. It is a pure function of what the device has observed.
struct MergeStep {
  /// The result of a merge.
  struct Outcome: Hashable {
    /// The record after the merge; nil if it is removed.
    var record: LocalRecord?
    /// Whether the user sees a change.
    var isVisible = false
    /// Whether the merge changed the local version, so that it counts as a new local change.
    var isRevised = false
    /// The decision, if two versions were in conflict.
    var decision: Decision?
    /// Whether the cloud has a version by this device's ID that the device never sent.
    var isClone = false
    /// Whether the cloud's version is one that this device sent without receiving an answer.
    var isOwnWrite = false
  }

  /// The decision of a conflict.
  struct Decision: Hashable {
    var conflict: Conflict
    var winner: ConflictEntry.Winner
    var rule: String
    var serverDeviceID: String?
  }

  let deviceID: String
  var deleteRule: CoordinatorConfiguration.DeleteRule
  let policy: MergePolicy
  /// Who decides conflicts.
  var arbiter = CoordinatorConfiguration.Arbiter.device
  /// The field that does not count when a version is recognised as this device's own; nil if all fields count.
  var ignoredField: Name?
  /// Whether the cloud is a database without versions of rows; see `CoordinatorConfiguration.Traits`.
  var isPlainDatabase = false

  /// The result if the cloud has `version`.
  func saved(_ version: ServerVersion, type: Name, recordID: RecordID, known: LocalRecord?) -> Outcome {
    guard let known else {
      let record = LocalRecord(recordID: recordID, recordType: type, local: version.content, server: version)
      // The version has this device's ID and the device does not know it: only a copy of the device can have written
      // it.
      return Outcome(record: record, isVisible: true, isClone: version.modified.author.deviceID == deviceID)
    }
    guard known.server?.changeTag != version.changeTag else { return Outcome(record: known) }
    let isOwn = version.modified.author.deviceID == deviceID
    var record = known
    record.server = version
    switch arbiter {
    case .device where known.sent == .saved(version.content):
      record.sent = nil
      return Outcome(record: record, isOwnWrite: true)
    case .cloud where isOwn && known.hasJustSent(version.content, leavingOut: ignoredField):
      record.settle(as: version)
      return Outcome(record: record, isVisible: record.local != known.local, isOwnWrite: true)
    case .device, .cloud: break
    }
    // It belongs to an earlier request whose answer was lost. The request that was sent last may still be in progress.
    if isOwn, known.hasSent(version.content, leavingOut: ignoredField) {
      return Outcome(record: record, isOwnWrite: true)
    }
    // The user deleted the row before its insert was confirmed. Now the deletion can be sent.
    if isPlainDatabase, known.local == nil, known.server == nil { return Outcome(record: record) }
    // The device's edit was made without this version, and only the cloud compares the two.
    if arbiter == .cloud, known.isPending, known.local != version.content { return Outcome(record: known) }
    var outcome = met(version, known: known, record: record)
    // The same content under another tag is the device's own version in another data set.
    outcome.isClone = isOwn && known.server?.content != version.content
    return outcome
  }

  /// The result if the cloud does not have the record. `deleter` is the device that deleted it, if known.
  ///
  /// A version that was sent without receiving an answer may have been in the cloud, so its deletion is a conflict. A
  /// feed that is read from its beginning may instead show the tombstone of an earlier record of that name, which looks
  /// the same. The journal keeps the version in both cases.
  func deleted(known: LocalRecord?, deleter: String?) -> Outcome {
    guard let known else { return Outcome() }
    guard known.isPending, let local = known.local else { return Outcome(isVisible: known.local != nil) }
    var record = known
    record.server = nil
    record.sent = nil
    // The deletion is older than the record that the user has just made, or is an earlier one of this device.
    let isOwn = known.sent == .deleted && (deleter == nil || deleter == deviceID)
    let wasNeverThere = known.server == nil && known.sent == nil
    if isOwn || wasNeverThere { return Outcome(record: record) }
    if arbiter == .cloud, !isPlainDatabase { return offeredAgain(known) }
    let conflict = Conflict(
      recordID: known.recordID, recordType: known.recordType, local: local, server: nil,
      ancestor: known.server?.content)
    return decided(conflict, record: record, deviceID: deleter)
  }

  /// The result if the cloud, which decides itself, removed a record for good that has an unsent edit: the edit is sent
  /// as a new record.
  private func offeredAgain(_ known: LocalRecord) -> Outcome {
    var record = known
    record.offer()
    let conflict = Conflict(
      recordID: known.recordID, recordType: known.recordType, local: known.local, server: nil,
      ancestor: known.server?.content)
    return Outcome(
      record: record, decision: Decision(conflict: conflict, winner: .local, rule: "purged", serverDeviceID: nil))
  }

  /// Whether a deletion is older than the version that the device knows. Only the change tags of a cloud that decides
  /// itself show that. An empty tag belongs to no entry of a feed.
  func isOutdated(_ deletion: ChangeTag, known: LocalRecord?) -> Bool {
    guard arbiter == .cloud, !deletion.text.isEmpty, let version = known?.server else { return false }
    return !deletion.isLater(than: version.changeTag)
  }

  /// The result if another client's version is different from the device's.
  private func met(_ version: ServerVersion, known: LocalRecord, record: LocalRecord) -> Outcome {
    var record = record
    record.sent = nil
    guard known.isPending, known.local != version.content else {
      record.local = version.content
      return Outcome(record: record, isVisible: known.local != version.content)
    }
    let conflict = Conflict(
      recordID: known.recordID, recordType: known.recordType, local: known.local, server: version.content,
      ancestor: known.server?.content)
    return decided(conflict, record: record, deviceID: version.modified.author.deviceID)
  }

  private func decided(_ conflict: Conflict, record: LocalRecord, deviceID: String?) -> Outcome {
    let resolution = resolution(of: conflict)
    let result = result(of: resolution, in: conflict)
    var merged = record
    merged.local = result
    // The cloud refused a different version.
    if result != conflict.local { merged.quarantine = nil }
    let decision = Decision(
      conflict: conflict, winner: winner(result, in: conflict), rule: resolution.rule, serverDeviceID: deviceID)
    return Outcome(
      record: result == nil && record.server == nil ? nil : merged, isVisible: result != conflict.local,
      isRevised: true, decision: decision)
  }

  private func resolution(of conflict: Conflict) -> Resolution {
    if deleteRule == .deleteWins, conflict.local == nil || conflict.server == nil {
      return Resolution(.delete, rule: "delete")
    }
    return policy.resolve(conflict)
  }

  private func result(of resolution: Resolution, in conflict: Conflict) -> RecordContent? {
    switch resolution.outcome {
    case .keepLocal: conflict.local
    case .adoptServer: conflict.server
    case .merged(let content): content
    case .delete: nil
    }
  }

  private func winner(_ result: RecordContent?, in conflict: Conflict) -> ConflictEntry.Winner {
    if result == conflict.local { return .local }
    if result == conflict.server { return .server }
    return result == nil ? .none : .merged
  }
}
