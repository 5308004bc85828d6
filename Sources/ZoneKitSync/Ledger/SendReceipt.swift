import ZoneKitRecords

/// Takes in the cloud's answer to each record of a batch.
struct SendReceipt {
  private let snapshot: MergeSnapshot
  private var merge: PageMerge
  /// What there is to report, but for the records that the user sees differently.
  private(set) var effects: [Effect] = []
  /// Records whose cloud version has to be looked at.
  private(set) var lookups: [Name] = []
  /// Whether the cloud is full.
  let isFull: Bool
  /// An error after which the rest is tried later.
  private(set) var setback: CloudError?
  /// When the newest of the saves was committed, by the cloud's clock; nil where nothing was saved.
  private(set) var cloudTime: WallTime?
  /// Whether the answer says anything about any record by itself.
  private var hasProgress = false
  /// Why a record was refused that the cloud has nothing against: something else in its batch was not taken.
  private var batchRequestFailure: CloudError?

  /// A receipt for those results. They are looked at as a whole first: what one record ran into can be the cause of what
  /// another one did.
  init(_ snapshot: MergeSnapshot, draft: DeviceDraft, results: [RecordResult]) {
    self.snapshot = snapshot
    merge = PageMerge(snapshot, draft: draft)
    isFull = results.contains { $0.error?.code == .quotaExceeded }
  }

  /// What is to be kept.
  var draft: DeviceDraft { merge.draft }

  /// Records that the user sees differently now.
  var visible: [RecordID] { merge.visible }

  /// Why nothing happened to any record, so that the same batch must not go again at once; nil where something did.
  var stalledError: CloudError? { hasProgress || isFull ? nil : batchRequestFailure }

  /// Takes in the answer to one record.
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
    switch result {
    case .record(let record): saved(record, known)
    case .deleted: deleted(known)
    case .failed(_, let error): try failed(known, error, in: store, using: &generator)
    }
  }

  /// Notes the answer as a whole.
  mutating func close(_ zoneID: ZoneID) {
    merge.draft.memory.set(.sendLastAt, snapshot.now.wall)
    // What the cloud holds goes with its zone, so the zone has to be known.
    if merge.draft.memory.zone(zoneID) == nil { merge.draft.memory.setZone(.unread(zoneID)) }
    merge.draft.memory.set(.quotaExceededAt, isFull ? snapshot.now.wall : nil)
  }

  /// Whether an error is that of another record of the batch.
  private func isOfBatch(_ error: CloudError) -> Bool {
    error.code == .batchRequestFailed || (isFull && error.code.canComeOfFullCloud)
  }

  /// What was sent is what the cloud holds now; an edit made meanwhile differs from it and stays waiting.
  private mutating func saved(_ record: Record, _ known: LocalRecord) {
    var settled = known
    let version = ServerVersion(record)
    if case .saved(let content)? = known.sent, known.local == content { settled.local = version.content }
    settled.server = version
    settled.sent = nil
    // This version was saved over the one that its tag names: nothing sent earlier can come after it.
    settled.unanswered = []
    // An answer is no meeting in the feed: before a full fetch ends the feed shows the record, or it is gone with its zone.
    merge.draft.put(settled)
    noteClock(version.modified.at)
    effects.append(.fact(.recordSent(known.recordID, version.changeTag)))
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
    case .unknownItem where known.sent == .deleted: deleted(known)
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
      .serverResponseLost, .accountTemporarilyUnavailable, .notAuthenticated, .assetNotAvailable:
      setback = error
    case .referenceViolation: effects += merge.draft.putRefused(known, .waiting(error.reason))
    default: effects += merge.draft.putRefused(known, .refused(error.reason))
    }
  }

  /// The cloud's clock minus this device's, as far as an answer shows it; small differences are the way's.
  private mutating func noteClock(_ cloud: WallTime) {
    cloudTime = max(cloudTime ?? cloud, cloud)
    let offset = cloud.milliseconds - snapshot.now.wall.milliseconds
    let known = merge.draft.memory.integer(.clockOffset)
    guard known.map({ abs($0 - offset) > 1_000 }) ?? true else { return }
    merge.draft.memory.set(.clockOffset, offset)
    if abs(offset) > 60_000 { effects.append(.fact(.clockOff(offset: offset))) }
  }
}

extension CloudErrorCode {
  /// Whether a record can run into this because there was no room for another one of its batch, such as its parent (sync
  /// semantics, 1.8, code 1).
  fileprivate var canComeOfFullCloud: Bool { self == .internalError || self == .referenceViolation }
}
