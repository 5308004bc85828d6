import ZoneKitCloud
import ZoneKitRecords
import ZoneKitSync

/// A record is held back if the cloud never takes it as it is, and only then.
package struct QuarantineChecker: DeviceChecker {
  private var batch: ModifyRecords?
  private var batchID: RequestID?
  /// The records of the last batch that the cloud has nothing against.
  private var accepted: Set<RecordID> = []
  /// The records that the cloud refused last because of what they refer to.
  package private(set) var refusedForTarget: Set<RecordID> = []
  /// The versions that the cloud will never take, of records that are not held back yet.
  private var hopeless: [RecordID: SentVersion] = [:]
  /// The versions that the last batch sent.
  private var versions: [RecordID: SentVersion] = [:]

  /// A checker before anything happened.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting: starts()
    case .request(let id, let request, _): sent(request, id, from: entry.device)
    case .answer(let id, let answer): answered(id, answer)
    case .fact(let fact): return take(fact, entry.device)
    case .edited(let changes, _):
      guard
        let (id, reason) = changes.lazy.compactMap({ change in
          entry.device.record(change.id)?.quarantine.map { (change.id, $0.text) }
        }).first
      else { return nil }
      return Finding(.quarantine, "record \(id.words) was edited, and is still held back: \(reason)")
    default: break
    }
    return nil
  }

  /// A new process knows nothing of the last batch.
  private mutating func starts() {
    (batch, batchID) = (nil, nil)
    (accepted, hopeless, versions) = ([], [:], [:])
  }

  private mutating func sent(_ request: CloudRequest, _ id: RequestID, from device: DeviceSnapshot) {
    accepted = []
    batchID = id
    batch = nil
    guard case .modifyRecords(let batch) = request else { return }
    self.batch = batch
    versions = [:]
    for id in batch.recordIDs.compactMap({ $0 }) { versions[id] = device.record(id)?.sent }
    // They are tried once more, whatever was wrong with them.
    for id in versions.keys { hopeless[id] = nil }
  }

  /// The cloud's answer to a request reaches the device, for the first time or again.
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
      return Finding(.quarantine, "record \(id.words) is said to be held back, and is not")
    }
    if let version = versions[id], version != SentVersion(record.local) {
      return Finding(.quarantine, "record \(id.words) is held back for what it was before its user changed it")
    }
    guard accepted.contains(id) else { return nil }
    return Finding(.quarantine, "record \(id.words) is held back, and the cloud has nothing against it: \(reason)")
  }

  /// Whether an error of a single record comes again as long as the record is what it is.
  private static func isFinal(_ code: CloudErrorCode) -> Bool {
    switch code {
    case .invalidArguments, .limitExceeded, .permissionFailure, .constraintViolation, .serverRejectedRequest: true
    default: false
    }
  }

  /// Whether an error says something of the record that met it.
  private static func isAgainstRecord(_ code: CloudErrorCode?, isFull: Bool) -> Bool {
    switch code {
    case nil, .batchRequestFailed, .quotaExceeded, .serverRecordChanged, .networkUnavailable, .networkFailure,
      .serverResponseLost, .serviceUnavailable, .requestRateLimited, .zoneBusy, .accountTemporarilyUnavailable:
      false
    case .internalError, .referenceViolation: !isFull
    case .permissionFailure, .unknownItem, .invalidArguments, .serverRejectedRequest, .assetNotAvailable,
      .constraintViolation, .changeTokenExpired, .zoneNotFound, .limitExceeded, .userDeletedZone, .notAuthenticated,
      .authenticationFailed, .badContainer:
      true
    }
  }
}
