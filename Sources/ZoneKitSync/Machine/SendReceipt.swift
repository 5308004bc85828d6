import ZoneKitRecords

/// What a batch's answer makes of the records that were sent.
struct SendReceipt<Store: DeviceStore> {
  private let coordinator: SyncCoordinator<Store>
  private let zoneID: ZoneID
  private let now: Moment
  private var merge: PageMerge<Store>
  private(set) var effects: [Effect] = []
  /// Records whose cloud version has to be looked at.
  private(set) var lookups: [Name] = []
  /// Whether the cloud is full.
  private(set) var isFull = false
  /// An error after which the rest is tried later.
  private(set) var setback: CloudError?
  /// Whether anything came of any record.
  private var hasProgress = false
  /// Why nothing came of any record, so that the same batch must not go again at once; nil where something did.
  var standstill: CloudError? { hasProgress || isFull ? nil : innocence }
  private var innocence: CloudError?
  /// When the newest of the saves was committed, by the cloud's clock; nil where nothing was saved.
  private(set) var cloudTime: WallTime?

  init(coordinator: SyncCoordinator<Store>, zoneID: ZoneID, session: SyncSession, now: Moment) {
    self.coordinator = coordinator
    self.zoneID = zoneID
    self.now = now
    merge = PageMerge(coordinator: coordinator, zoneID: zoneID, session: session, now: now)
  }

  var draft: DeviceDraft {
    get { merge.draft }
    set { merge.draft = newValue }
  }

  /// Records that the user sees differently now.
  var visible: [RecordID] { merge.visible }

  /// Looks at the answer as a whole first: what one record ran into can be the cause of what another one did.
  mutating func expect(_ results: [RecordResult]) {
    isFull = results.contains { $0.error?.code == .quotaExceeded }
  }

  /// Takes in what became of one record.
  mutating func take(
    _ result: RecordResult, of name: Name, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    let recordID = RecordID(recordName: name, zoneID: zoneID)
    guard let known = try draft.record(recordID, in: coordinator.store) else { return hasProgress = true }
    if let error = result.error, error.code == .batchRequestFailed || (isFull && error.code.canComeOfFullCloud) {
      // Innocent: something else in the batch was not taken (sync semantics, 1.8).
      return innocence = error
    }
    hasProgress = true
    switch result {
    case .record(let record): saved(record, known)
    case .deleted: deleted(known)
    case .failed(_, let error): try failed(known, error, using: &generator)
    }
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
    draft.put(settled)
    noteClock(version.modified.at)
    effects.append(.fact(.recordSent(known.recordID, version.changeTag)))
  }

  private mutating func deleted(_ known: LocalRecord) {
    var settled = known
    settled.server = nil
    settled.sent = nil
    draft.put(settled)
    effects.append(.fact(.recordSent(known.recordID, nil)))
  }

  private mutating func failed(
    _ known: LocalRecord, _ error: CloudError, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    let name = known.recordID.recordName
    switch error.code {
    case .serverRecordChanged: lookups.append(name)
    case .unknownItem where known.sent == .deleted: deleted(known)
    case .unknownItem where known.server != nil:
      var unsent = known
      unsent.sent = nil
      draft.put(unsent)
      try merge.take(.deleted(recordName: name, changeTag: ChangeTag("")), using: &generator)
      effects += merge.effects
      merge.effects = []
    case .quotaExceeded:
      if !effects.contains(.fact(.quotaExceeded)) { effects.append(.fact(.quotaExceeded)) }
    case .requestRateLimited, .zoneBusy, .serviceUnavailable, .internalError, .networkFailure, .networkUnavailable,
      .serverResponseLost, .accountTemporarilyUnavailable, .notAuthenticated, .assetNotAvailable:
      setback = error
    case .referenceViolation:
      effects += draft.putRefused(known, for: SyncCoordinator<Store>.waitingMark + error.reason)
    default: effects += draft.putRefused(known, for: error.reason)
    }
  }

  /// The cloud's clock minus this device's, as far as an answer can tell; small differences are the way's.
  private mutating func noteClock(_ cloud: WallTime) {
    cloudTime = max(cloudTime ?? cloud, cloud)
    let offset = cloud.milliseconds - now.wall.milliseconds
    let known = draft.memory.integer(.clockOffset)
    guard known.map({ abs($0 - offset) > 1_000 }) ?? true else { return }
    draft.memory.set(.clockOffset, offset)
    if abs(offset) > 60_000 { effects.append(.fact(.clockOff(offset: offset))) }
  }
}

extension CloudErrorCode {
  /// Whether a record can run into this because there was no room for another one of its batch, such as its parent (sync
  /// semantics, 1.8, code 1).
  fileprivate var canComeOfFullCloud: Bool { self == .internalError || self == .referenceViolation }
}
