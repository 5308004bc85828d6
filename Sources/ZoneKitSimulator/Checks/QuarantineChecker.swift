import ZoneKitCloud
import ZoneKitRecords
import ZoneKitSync

/// A record is in quarantine if the cloud refuses it permanently, and only then.
package struct QuarantineChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .request, .answer, .edited, .settled],
    facts: [.quarantined, .released, .storeFailed, .reset, .accountChanged, .syncFinished, .syncFailed])

  private var batch: ModifyRecords?
  private var batchID: RequestID?
  /// The records of the last batch that the cloud did not refuse for their own content.
  private var accepted: Set<RecordID> = []
  /// The records that the cloud last refused because of a record to which they refer.
  package private(set) var refusedForTarget: Set<RecordID> = []
  /// The versions that the cloud refuses permanently, of records that are not in quarantine yet.
  private var hopeless: [RecordID: SentVersion] = [:]
  /// The versions that the last batch sent.
  private var versions: [RecordID: SentVersion] = [:]
  /// The records that a fact reports as held back and that are not. The same event can release a record again, and the
  /// store has both changes when the first fact arrives.
  private var unheld: Set<RecordID> = []

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting: starts()
    case .request(let id, let request, _): sent(request, id, from: entry.device)
    case .answer(let id, let answer): answered(id, answer)
    case .fact(let fact): return take(fact, entry.device)
    case .settled:
      guard let id = unheld.min() else { return nil }
      unheld = []
      return Finding(.quarantine, "record \(id.words) is reported as held back, and is not")
    case .edited(let changes, _):
      guard
        // A process that was killed during the write may have kept nothing.
        let (id, reason) = changes.lazy.filter({ $0.before != $0.after }).compactMap({ change in
          entry.device.record(change.id)?.quarantine.map { (change.id, $0.text) }
        }).first
      else { return nil }
      return Finding(.quarantine, "record \(id.words) was edited, and is still held back: \(reason)")
    default: break
    }
    return nil
  }

  /// A process started, which does not know the last batch.
  private mutating func starts() {
    (batch, batchID) = (nil, nil)
    (accepted, hopeless, versions, unheld) = ([], [:], [:], [])
  }

  private mutating func sent(_ request: CloudRequest, _ id: RequestID, from device: DeviceSnapshot) {
    accepted = []
    batchID = id
    batch = nil
    guard case .modifyRecords(let batch) = request else { return }
    self.batch = batch
    versions = [:]
    for id in batch.recordIDs.compactMap({ $0 }) { versions[id] = device.record(id)?.sent }
    // They are sent once more in any case.
    for id in versions.keys { hopeless[id] = nil }
  }

  /// An answer to a request arrived, the first one or a repetition.
  private mutating func answered(_ id: RequestID, _ answer: Result<CloudResponse, CloudError>) {
    guard let batch, id == batchID else { return }
    self.batch = nil
    let ids = batch.recordIDs
    switch answer {
    case .success(.records(let results)), .success(.atomicFailure(let results)):
      let isFull = results.contains { $0.error?.code == .quotaExceeded }
      for case (let id?, let result) in zip(ids, results) { answered(id, result.error?.code, isFull: isFull) }
    case .success(.failure(let error)), .failure(let error):
      if ids.count == 1, let id = ids[0], error.code == .limitExceeded { hopeless[id] = versions[id] }
      if ids.count > 1 || !Self.isAgainstRecord(error.code, isFull: false) { accepted = Set(ids.compactMap { $0 }) }
    case .success: break
    }
  }

  private mutating func answered(_ id: RecordID, _ code: CloudErrorCode?, isFull: Bool) {
    if !Self.isAgainstRecord(code, isFull: isFull) { accepted.insert(id) }
    if let code, Self.isFinal(code), !isFull { hopeless[id] = versions[id] }
    if code == .referenceViolation { refusedForTarget.insert(id) } else { refusedForTarget.remove(id) }
  }

  private mutating func take(_ fact: DeviceFact, _ device: DeviceSnapshot) -> Finding? {
    switch fact {
    case .quarantined(let id, let reason): return quarantined(id, reason, device)
    case .released(let id): unheld.remove(id)
    case .storeFailed, .reset, .accountChanged: hopeless = [:]
    case .syncFinished, .syncFailed:
      let stuck = hopeless.filter { id, version in
        device.record(id).map { $0.isPending && SentVersion($0.local) == version } ?? false
      }
      hopeless = [:]
      guard let id = stuck.keys.min() else { return nil }
      return Finding(.quarantine, "record \(id.words) is not held back, and the cloud will never take it")
    default: break
    }
    return nil
  }

  private mutating func quarantined(_ id: RecordID, _ reason: String, _ device: DeviceSnapshot) -> Finding? {
    hopeless[id] = nil
    guard let record = device.record(id), record.quarantine != nil else {
      unheld.insert(id)
      return nil
    }
    if let version = versions[id], version != SentVersion(record.local) {
      return Finding(.quarantine, "record \(id.words) is held back for what it was before its user changed it")
    }
    guard accepted.contains(id) else { return nil }
    return Finding(.quarantine, "record \(id.words) is held back, and the cloud has nothing against it: \(reason)")
  }

  /// Whether the error of a record is the same as long as the record is unchanged.
  private static func isFinal(_ code: CloudErrorCode) -> Bool {
    switch code {
    case .invalidArguments, .limitExceeded, .permissionFailure, .constraintViolation, .serverRejectedRequest: true
    default: false
    }
  }

  /// Whether an error is caused by the record itself.
  private static func isAgainstRecord(_ code: CloudErrorCode?, isFull: Bool) -> Bool {
    switch code {
    case nil, .batchRequestFailed, .quotaExceeded, .serverRecordChanged, .networkUnavailable, .networkFailure,
      .serverResponseLost, .serviceUnavailable, .requestRateLimited, .zoneBusy, .accountTemporarilyUnavailable,
      .incompatibleVersion:
      false
    case .internalError, .referenceViolation: !isFull
    case .permissionFailure, .unknownItem, .invalidArguments, .serverRejectedRequest, .assetNotAvailable,
      .constraintViolation, .changeTokenExpired, .zoneNotFound, .limitExceeded, .userDeletedZone, .notAuthenticated,
      .authenticationFailed, .badContainer:
      true
    }
  }
}
