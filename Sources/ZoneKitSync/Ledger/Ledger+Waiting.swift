import ZoneKitRecords

/// Records that the cloud refuses only because of another record: a child whose parent is missing in the cloud, or a
/// parent that still has children there. They are held back like those in quarantine, but are sent again without an
/// action of the user.
extension Ledger {
  /// Releases the records that do not have to wait any more, except those. Returns the released records.
  package mutating func releaseWaiting(
    except kept: Set<RecordID> = [], at now: Moment
  ) throws(StoreError) -> [RecordID] {
    var draft = draft(at: now)
    var ids: [RecordID] = []
    for record in try store.quarantined(limit: .max) where !kept.contains(record.recordID) {
      guard try canGo(record) else { continue }
      var released = record
      released.quarantine = nil
      draft.put(released)
      ids.append(record.recordID)
    }
    try commit(draft)
    return ids
  }

  /// The user wants a record to be sent before all others. One that the cloud refused may be sent again.
  mutating func sendFirst(_ recordID: RecordID, at now: Moment) throws(StoreError) -> [Effect] {
    guard var record = try store.record(recordID), record.isPending else { return [] }
    urgent = recordID
    guard record.quarantine != nil else { return [] }
    record.quarantine = nil
    var draft = draft(at: now)
    draft.put(record)
    try commit(draft)
    return [.fact(.released(recordID))]
  }

  /// Whether everything to which the record refers is in the cloud. For a deletion only the cloud knows.
  private func canGo(_ record: LocalRecord) throws(StoreError) -> Bool {
    guard case .waiting? = record.quarantine else { return false }
    guard let local = record.local else { return true }
    for name in ReferenceTargets.names(in: local, of: record.recordID) {
      let target = try store.record(RecordID(recordName: name, zoneID: record.recordID.zoneID))
      guard let target, target.local != nil, target.server != nil else { return false }
    }
    return true
  }
}
