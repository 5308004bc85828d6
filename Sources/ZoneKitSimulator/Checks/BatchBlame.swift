import ZoneKitRecords
import ZoneKitSync

/// Which records of the last batch the cloud has something against: no other one may be held back for its answer, and those
/// that it will never take as they are have to be.
struct BatchBlame: Sendable {
  private var batch: ModifyRecords?
  private var batchID: RequestID?
  /// The records of the batch that the cloud has nothing against.
  private var innocent: Set<RecordID> = []
  /// The records that the cloud refused last because of what they refer to.
  private(set) var dependents: Set<RecordID> = []
  /// The versions that the cloud will never take, of records that are not held back yet.
  private var hopeless: [RecordID: SentVersion] = [:]
  /// What was sent last of the records of the last batch.
  private var versions: [RecordID: SentVersion] = [:]
  /// The records that the cloud holds in another version, and that were not looked up yet.
  private var conflicting: Set<RecordID> = []

  /// A process starts, which knows nothing of the last batch.
  mutating func starts() {
    batch = nil
    batchID = nil
    innocent = []
    hopeless = [:]
    versions = [:]
    conflicting = []
  }

  mutating func sent(_ request: CloudRequest, _ id: RequestID, from state: SimulatedDevice) {
    innocent = []
    batchID = id
    if case .lookupRecords(let zone, let names) = request {
      conflicting.subtract(names.map { RecordID(recordName: $0, zoneID: zone) })
    }
    batch = nil
    guard let batch = request.batch else { return }
    self.batch = batch
    versions = [:]
    for id in batch.recordIDs.compactMap({ $0 }) { versions[id] = state.local(id)?.sent }
    // They are tried once more, whatever was wrong with them.
    for id in versions.keys { hopeless[id] = nil }
  }

  /// The cloud's answer to a request reaches the device, for the first time or again.
  mutating func answered(_ id: RequestID, _ answer: Result<CloudResponse, CloudError>) {
    guard let batch, id == batchID else { return }
    self.batch = nil
    let ids = batch.recordIDs
    switch answer {
    case .success(.records(let results)), .success(.atomicFailure(let results)):
      let isFull = results.contains { $0.error?.code == .quotaExceeded }
      for case (let id?, let result) in zip(ids, results) {
        let code = result.error?.code
        if !Self.isToBlame(code, isFull: isFull) { innocent.insert(id) }
        if let code, Self.isFinal(code), !isFull { hopeless[id] = versions[id] }
        if code == .serverRecordChanged { conflicting.insert(id) }
        if code == .referenceViolation { dependents.insert(id) } else { dependents.remove(id) }
      }
    case .success(.failure(let error)), .failure(let error):
      if ids.count == 1, let id = ids[0], error.code == .limitExceeded { hopeless[id] = versions[id] }
      if ids.count > 1 || !Self.isToBlame(error.code, isFull: false) { innocent = Set(ids.compactMap { $0 }) }
    case .success: break
    }
  }

  /// Takes in what the device tells of itself; returns what must not be.
  mutating func heard(_ fact: DeviceFact, from state: SimulatedDevice) -> (Violation.Rule, String)? {
    switch fact {
    case .quarantined(let id, let reason):
      hopeless[id] = nil
      guard let record = state.local(id), record.quarantine != nil else {
        return (.quarantine, "record \(id.words) is said to be held back, and is not")
      }
      if let version = versions[id], version != SentVersion(record.local) {
        return (.quarantine, "record \(id.words) is held back for what it was before its user changed it")
      }
      guard innocent.contains(id) else { return nil }
      return (.quarantine, "record \(id.words) is held back, and the cloud has nothing against it: \(reason)")
    case .storeFailed, .reset, .accountChanged: hopeless = [:]
    case .syncStarted: conflicting = []
    case .syncFailed(_, let error, _) where error.code == .serverRecordChanged && !conflicting.isEmpty:
      return (
        .retry,
        "a conflict ended the sync, and the cloud's version of \(conflicting.sorted()[0].words) was not asked for"
      )
    case .syncFinished, .syncFailed:
      defer { hopeless = [:] }
      let stuck = hopeless.filter { id, version in
        state.local(id).map { $0.isPending && SentVersion($0.local) == version } ?? false
      }
      guard let id = stuck.keys.min() else { return nil }
      return (.quarantine, "record \(id.words) is not held back, and the cloud will never take it")
    default: break
    }
    return nil
  }

  /// Whether an error of a single record comes again as long as the record is what it is.
  private static func isFinal(_ code: CloudErrorCode) -> Bool {
    switch code {
    case .invalidArguments, .limitExceeded, .permissionFailure, .constraintViolation, .serverRejectedRequest: true
    default: false
    }
  }

  /// Whether an error says something of the record that met it.
  private static func isToBlame(_ code: CloudErrorCode?, isFull: Bool) -> Bool {
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

extension Result where Success == CloudResponse, Failure == CloudError {
  /// What was refused, as a whole or record by record or zone by zone.
  var refusals: [CloudErrorCode] {
    switch self {
    case .success(.records(let results)), .success(.atomicFailure(let results)): results.compactMap { $0.error?.code }
    case .success(.zoneChanges(let results)):
      results.compactMap { if case .failed(_, let error) = $0 { error.code } else { nil } }
    case .success(.failure(let error)), .failure(let error): [error.code]
    case .success: []
    }
  }
}

extension ModifyRecords {
  /// The records of the operations; nil where the cloud is to make up the name.
  fileprivate var recordIDs: [RecordID?] {
    operations.map { operation in operation.recordName.map { RecordID(recordName: $0, zoneID: zoneID) } }
  }
}
