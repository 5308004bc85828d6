import ZoneKitCloud
import ZoneKitRecords
import ZoneKitSync

/// A save that the cloud refused because of a record to which it refers is not repeated before that one can be there.
package struct RefusedSaveChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .request, .answer, .diskReplaced, .storeFailed, .resetting],
    facts: [.storeFailed, .reset, .accountChanged, .zoneLost, .zoneRemoved])

  /// The records of the last batch, in its order, with their versions.
  private var batch: [(id: RecordID?, version: RecordContent?)] = []
  /// The versions that were refused for what they refer to.
  private var refused: [RecordID: RecordContent] = [:]

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .request(_, .modifyRecords(let sent), _):
      batch = sent.recordIDs.map { id in (id, id.flatMap { entry.device.record($0)?.local }) }
      return repeatedSave(by: entry.device)
    case .request: batch = []
    case .answer(_, .success(.records(let results))), .answer(_, .success(.atomicFailure(let results))):
      for case (let (id?, version), let result) in zip(batch, results) {
        refused[id] = result.error?.code == .referenceViolation ? version : nil
      }
      batch = []
    case .answer: batch = []
    default: (batch, refused) = ([], [:])
    }
    return nil
  }

  /// The violation in the batch that a device sends; nil for none.
  private func repeatedSave(by device: DeviceSnapshot) -> Finding? {
    let sent = Set(batch.compactMap(\.id))
    for case (let id?, let version?) in batch where refused[id] == version {
      for name in ReferenceTargets.names(in: version, of: id) {
        let target = RecordID(recordName: name, zoneID: id.zoneID)
        guard !sent.contains(target), let record = device.record(target), record.local != nil, record.server == nil,
          record.sent == nil
        else { continue }
        return Finding(
          .retry, "record \(id.words) is sent again, and \(target.words), to which it refers, is not there")
      }
    }
    return nil
  }
}
