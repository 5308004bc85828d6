import ZoneKitRecords
import ZoneKitSync

/// A record is looked up before the end of the sync if it is in conflict and the answer did not contain the cloud's
/// version.
package struct ConflictLookupChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .request, .answer],
    facts: [.syncStarted, .syncFailed])

  private var batch: (id: RequestID, records: [RecordID?])?
  /// The records of which the cloud has another version, and that were not looked up yet.
  private var unread: Set<RecordID> = []

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting:
      batch = nil
      unread = []
    case .request(let id, let request, _): sent(request, id)
    case .answer(let id, let answer): answered(id, answer)
    case .fact(.syncStarted): unread = []
    case .fact(.syncFailed(_, let error, _)):
      guard error.code == .serverRecordChanged, let id = unread.min() else { return nil }
      return Finding(
        .retry, "a conflict ended the sync, and the cloud's version of \(id.words) was not asked for")
    default: break
    }
    return nil
  }

  private mutating func sent(_ request: CloudRequest, _ id: RequestID) {
    batch = nil
    switch request {
    case .lookupRecords(let zone, let names):
      unread.subtract(names.map { RecordID(recordName: $0, zoneID: zone) })
    case .modifyRecords(let records): batch = (id, records.recordIDs)
    default: break
    }
  }

  private mutating func answered(_ id: RequestID, _ answer: Result<CloudResponse, CloudError>) {
    guard let batch, batch.id == id else { return }
    self.batch = nil
    switch answer {
    case .success(.records(let results)), .success(.atomicFailure(let results)):
      for case (let id?, let result) in zip(batch.records, results) where result.error?.code == .serverRecordChanged {
        unread.insert(id)
      }
    case .success, .failure: break
    }
  }
}
