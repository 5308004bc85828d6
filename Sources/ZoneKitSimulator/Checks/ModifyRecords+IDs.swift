import ZoneKitRecords

extension ModifyRecords {
  /// The records of the operations; nil for those whose name the cloud makes.
  var recordIDs: [RecordID?] {
    operations.map { operation in operation.recordName.map { RecordID(recordName: $0, zoneID: zoneID) } }
  }
}

extension Result where Success == CloudResponse, Failure == CloudError {
  /// Whether the cloud kept a record that was saved.
  var keptSave: Bool {
    guard case .success(.records(let results)) = self else { return false }
    return results.contains { if case .record = $0 { true } else { false } }
  }

  /// The codes of all refusals: of the whole request, of records and of zones.
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
