import ZoneKitRecords

/// Processes the cloud's results for the records of a batch.
struct SendReceipt {
  private let snapshot: MergeSnapshot
  private var merge: PageMerge
  /// The effects, except those for changed records that the user sees.
  private(set) var effects: [Effect] = []
  /// The names of records whose version in the cloud has to be looked up.
  private(set) var lookups: [Name] = []
  /// The names of records of which the cloud answered another version than was sent. They are sent again.
  private(set) var doubted: [Name] = []
  /// Whether the account's storage is full.
  let isFull: Bool
  /// An error because of which the rest is sent later.
  private(set) var setback: CloudError?
  /// The commit time of the newest save, by the cloud's clock; nil if nothing was saved.
  private(set) var cloudTime: WallTime?
  /// The newest change that the cloud confirmed.
  private var acknowledged: (tag: ChangeTag, at: WallTime?)?
  /// The records that the cloud answered with other content than the user's.
  private var shown: [RecordID] = []
  /// Whether a result says something about its own record.
  private var hasProgress = false
  /// The error of records that were refused only because of other records in an atomic batch.
  private var batchRequestFailure: CloudError?

  /// Processes those results. They are examined together first, because one record's failure can be the cause of
  /// another one's.
  init(_ snapshot: MergeSnapshot, draft: DeviceDraft, results: [RecordResult]) {
    self.snapshot = snapshot
    merge = PageMerge(snapshot, draft: draft)
    isFull = results.contains { $0.error?.code == .quotaExceeded }
  }

  /// The draft with the processed records.
  var draft: DeviceDraft { merge.draft }

  /// The records that changed for the user.
  var visible: [RecordID] { shown + merge.visible }

  /// The error to report if no record made progress, so that the same batch is not sent again immediately; nil if one
  /// did.
  var stalledError: CloudError? { hasProgress || isFull ? nil : batchRequestFailure }

  /// Processes the result of one record.
  mutating func add(
    _ result: RecordResult, of name: Name, in store: some DeviceStore,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    let recordID = RecordID(recordName: name, zoneID: snapshot.zoneID)
    let known = try merge.draft.record(recordID, in: store)
    if known != nil, let error = result.error, isOfBatch(error) {
      // Nothing is wrong with this record (sync semantics, 1.8).
      batchRequestFailure = error
      return
    }
    hasProgress = true
    guard let known else { return }
    guard result.names(name) else {
      setback = CloudError(.internalError, "the cloud answered for another record than \(name)")
      return
    }
    acknowledge(result)
    switch result {
    case .record(let record), .kept(let record):
      guard snapshot.configuration.traits.arbiter == .device else {
        answered(result, with: ServerVersion(record), known)
        return
      }
      // A device that decides itself needs the cloud's version as it is then.
      if case .kept = result { lookups.append(name) } else { saved(record, known) }
    case .deleted: deleted(known)
    case .failed(_, let error): try failed(known, error, in: store, using: &generator)
    }
  }

  /// Finishes the draft after all results.
  mutating func close(_ zoneID: ZoneID) {
    merge.draft.memory.set(.sendLastAt, snapshot.now.wall)
    // The cloud's versions of records are removed with their zone, so the zone has to be known.
    var state = merge.draft.memory.zone(zoneID) ?? .unread(zoneID)
    if let tag = acknowledged?.tag { state.acknowledge(tag) }
    merge.draft.memory.setZone(state)
    merge.draft.memory.set(.quotaExceededAt, isFull ? snapshot.now.wall : nil)
  }

  /// Notes a confirmed change if it is the newest one of the batch. A version that the cloud kept is an earlier one.
  private mutating func acknowledge(_ result: RecordResult) {
    switch result {
    case .record(let record) where record.modified.at >= (acknowledged?.at ?? record.modified.at):
      acknowledged = (record.changeTag, record.modified.at)
    case .deleted(_, let tag?) where acknowledged?.at == nil: acknowledged = (tag, nil)
    case .record, .kept, .deleted, .failed: break
    }
  }

  /// Whether an error is caused by another record of the batch.
  private func isOfBatch(_ error: CloudError) -> Bool {
    error.code == .batchRequestFailed || (isFull && error.code.canComeOfFullCloud)
  }

  /// A record was saved: the cloud has what was sent. An edit that was made in the meantime differs from it and stays
  /// pending.
  private mutating func saved(_ record: Record, _ known: LocalRecord) {
    var settled = known
    let version = ServerVersion(record)
    guard isBelieved(version, known) else {
      settled.takeBack()
      settled.server = version
      merge.draft.put(settled)
      doubted.append(known.recordID.recordName)
      return
    }
    if case .saved(let content)? = known.sent, known.local == content { settled.local = version.content }
    settled.server = version
    settled.sent = nil
    // This version replaced the one with its change tag, so nothing that was sent earlier can be saved after it.
    settled.unanswered = []
    // An answer does not count as seen in the feed. Before a full fetch ends, the feed shows the record, or its zone
    // was removed.
    merge.draft.put(settled)
    noteClock(version.modified.at)
    effects.append(.fact(.recordSent(known.recordID, version.changeTag)))
  }

  /// The answer of a server-arbitrated cloud arrived: the version that it holds now, which is final. An edit that was
  /// made in the meantime stays pending. It is compared with that version as its successor only if the version is the
  /// one that was sent.
  private mutating func answered(
    _ result: RecordResult, with version: ServerVersion, _ known: LocalRecord
  ) {
    var settled = known
    let ignored = snapshot.configuration.ignoredField
    if snapshot.configuration.traits.isPlainDatabase {
      settled.rebase(on: version)
    } else if known.isAsSent || known.hasJustSent(version.content, leavingOut: ignored) {
      settled.settle(as: version)
    } else {
      settled.sent = nil
    }
    merge.draft.put(settled)
    // The version may be an old one, so its time does not tell what the cloud's clock shows now.
    let id = known.recordID
    if case .kept = result {
      effects.append(.fact(.recordKept(id, version.changeTag)))
    } else {
      effects.append(.fact(.recordSent(id, version.changeTag)))
    }
    if settled.local != known.local { shown.append(id) }
  }

  /// Whether an answer to a save tells what the cloud has. It does if it repeats what was sent. Otherwise it was changed
  /// on its way, or the cloud changes what it saves. Then it tells the same once more when the record is sent again.
  private func isBelieved(_ version: ServerVersion, _ known: LocalRecord) -> Bool {
    guard case .saved(let content)? = known.sent else { return true }
    return version.content == content || version.content == known.server?.content
  }

  private mutating func deleted(_ known: LocalRecord) {
    var settled = known
    settled.server = nil
    settled.sent = nil
    merge.draft.put(settled)
    effects.append(.fact(.recordSent(known.recordID, nil)))
  }

  private mutating func failed(
    _ known: LocalRecord, _ error: CloudError, in store: some DeviceStore,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    let name = known.recordID.recordName
    switch error.code {
    case .serverRecordChanged: lookups.append(name)
    case .unknownItem where known.sent == .deleted:
      if error.isAfterLoss { try merge.keepDeletion(of: known, in: store) }
      deleted(known)
    case .unknownItem where known.server != nil && error.isAfterLoss: merge.draft.offer(known)
    case .unknownItem where known.server != nil:
      var unsent = known
      unsent.sent = nil
      merge.draft.put(unsent)
      try merge.add(.deleted(recordName: name, changeTag: ChangeTag("")), in: store, using: &generator)
      effects += merge.effects
      merge.effects = []
    case .quotaExceeded:
      if !effects.contains(.fact(.quotaExceeded)) { effects.append(.fact(.quotaExceeded)) }
    case .requestRateLimited, .zoneBusy, .serviceUnavailable, .internalError, .networkFailure, .networkUnavailable,
      .serverResponseLost, .accountTemporarilyUnavailable, .incompatibleVersion, .notAuthenticated, .assetNotAvailable:
      setback = error
    case .referenceViolation: effects += merge.draft.putRefused(known, .waiting(error.reason))
    default: effects += merge.draft.putRefused(known, .refused(error.reason))
    }
  }

  /// Stores the difference between the cloud's clock and this device's, if it is larger than delays explain.
  private mutating func noteClock(_ cloud: WallTime) {
    cloudTime = max(cloudTime ?? cloud, cloud)
    // A reset while the device's clock was ahead would otherwise hide copies of the device until that time.
    if let forgottenAt = merge.draft.memory.time(.forgottenAt), forgottenAt > cloud {
      merge.draft.memory.set(.forgottenAt, cloud)
    }
    let offset = cloud.milliseconds - snapshot.now.wall.milliseconds
    let known = merge.draft.memory.integer(.clockOffset)
    guard known.map({ abs($0 - offset) > 1_000 }) ?? true else { return }
    merge.draft.memory.set(.clockOffset, offset)
    if abs(offset) > 60_000 { effects.append(.fact(.clockOff(offset: offset))) }
  }
}

extension RecordResult {
  /// Whether the result is about the record of that name, as far as it names one.
  func names(_ name: Name) -> Bool {
    switch self {
    case .record(let record), .kept(let record): record.recordName == name
    case .deleted(let other, _): other == name
    case .failed(let other, _): other.map { $0 == name } ?? true
    }
  }
}

extension CloudErrorCode {
  /// Whether a record can fail with this error because the storage was full for another record of its batch, such as
  /// its parent (sync semantics, 1.8, code 1).
  fileprivate var canComeOfFullCloud: Bool { self == .internalError || self == .referenceViolation }
}
