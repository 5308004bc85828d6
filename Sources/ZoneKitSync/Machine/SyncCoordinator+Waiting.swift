import ZoneKitRecords

/// Records that the cloud refuses only because of another one: a child whose parent it does not hold, or a parent whose
/// children it still holds. They are kept back like those in quarantine, but they are tried again by themselves.
extension SyncCoordinator {
  /// Begins the reason why such a record is kept back.
  package static var waitingMark: String { "waits for another record: " }

  /// Lets those go again that need not wait any more; nil where there is none. At most once in a sync that moved anything,
  /// so that a cloud that goes on refusing ends it.
  mutating func releaseWaiting(
    _ session: SyncSession, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect]? {
    guard session.hasMoved, !session.hasReleased, !session.isDoneSending else { return nil }
    var draft = draft(at: now)
    var effects: [Effect] = []
    for record in try store.quarantined(limit: .max) where try canGo(record) {
      var released = record
      released.quarantine = nil
      draft.put(released)
      effects.append(.fact(.released(record.recordID)))
    }
    guard !effects.isEmpty else { return nil }
    try commit(draft)
    var session = session
    session.hasReleased = true
    return effects + (try advance(session, at: now, using: &generator))
  }

  /// What a deletion waits for only the cloud knows.
  private func canGo(_ record: LocalRecord) throws(StoreError) -> Bool {
    guard record.quarantine?.hasPrefix(Self.waitingMark) == true else { return false }
    guard let local = record.local else { return true }
    for name in ReferenceTargets.names(in: local, of: record.recordID) {
      let target = try store.record(RecordID(recordName: name, zoneID: record.recordID.zoneID))
      guard let target, target.local != nil, target.server != nil else { return false }
    }
    return true
  }
}
