import Records
import SyncCoordinator
import ZoneServer

/// Which records of the last batch the cloud has something against: no other one may be held back for its answer.
struct BatchBlame: Sendable {
  private var batch: ModifyRecords?
  private var batchID: RequestID?
  /// The records of the batch that the cloud has nothing against.
  private var innocent: Set<RecordID> = []

  mutating func sent(_ request: CloudRequest, _ id: RequestID) {
    innocent = []
    batchID = id
    if case .modifyRecords(let batch) = request { self.batch = batch } else { batch = nil }
  }

  /// The cloud's answer to a request reaches the device, for the first time or again.
  mutating func answered(_ id: RequestID, _ answer: Result<CloudResponse, CloudError>) {
    guard let batch, id == batchID else { return }
    self.batch = nil
    let ids = batch.operations.map { $0.recordName.map { RecordID(recordName: $0, zoneID: batch.zoneID) } }
    switch answer {
    case .success(.records(let results)), .success(.atomicFailure(let results)):
      let isFull = results.contains { $0.failure?.code == .quotaExceeded }
      for (id, result) in zip(ids, results) where !Self.isToBlame(result.failure?.code, isFull: isFull) {
        if let id { innocent.insert(id) }
      }
    case .success(.failure(let error)), .failure(let error):
      if ids.count > 1 || !Self.isToBlame(error.code, isFull: false) { innocent = Set(ids.compactMap { $0 }) }
    case .success: break
    }
  }

  /// Takes in what the device tells of itself; returns what must not be.
  func heard(_ fact: DeviceFact) -> (Violation.Rule, String)? {
    guard case .quarantined(let id, let reason) = fact, innocent.contains(id) else { return nil }
    return (.quarantine, "record \(id.words) is held back, and the cloud has nothing against it: \(reason)")
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

extension RecordResult {
  /// What is wrong; nil where nothing is.
  fileprivate var failure: CloudError? {
    if case .failed(_, let error) = self { error } else { nil }
  }
}
