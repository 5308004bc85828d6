import ZoneKitRecords

/// Records that the cloud refuses only because of another one: a child whose parent it does not hold, or a parent whose
/// children it still holds. They are kept back like those in quarantine, but they are tried again without the user.
extension Ledger {
  /// Lets those go again that need not wait any more. Returns what there is to report; nothing where there is none.
  package mutating func releaseWaiting(at now: Moment) throws(StoreError) -> [Effect] {
    var draft = draft(at: now)
    var effects: [Effect] = []
    for record in try store.quarantined(limit: .max) where try canGo(record) {
      var released = record
      released.quarantine = nil
      draft.put(released)
      effects.append(.fact(.released(record.recordID)))
    }
    try commit(draft)
    return effects
  }

  /// Whether what a record waits for is on the cloud. What a deletion waits for only the cloud knows.
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
