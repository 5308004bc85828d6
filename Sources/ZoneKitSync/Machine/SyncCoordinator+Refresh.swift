import ZoneKitRecords

/// Background refreshes: syncs in a time that the system grants.
extension SyncCoordinator {
  /// Ends the refresh because its time is over. A sync for it is given up without a failure, because everything that it
  /// was to do can be derived from the store. Its other reasons are requested again.
  mutating func refreshOver(at now: Moment, using generator: inout some RandomNumberGenerator) -> [Effect] {
    ledger.gate.withdraw(.refresh)
    var others: [SyncReason] = []
    if case .waiting(let session, _) = activity, session.reasons.contains(.refresh) {
      abandonSync()
      others = session.reasons.list.filter { $0 != .refresh }
    }
    for reason in others { ledger.gate.request(reason, now: now.monotonic) }
    return refreshEnded(isWell: false) + proceed(at: now, using: &generator)
  }

  /// A sync for those reasons ended. Returns the fact that a refresh ended, if it was for one that is under way.
  mutating func refreshEnded(by reasons: SyncReasons, isWell: Bool) -> [Effect] {
    refreshEnd != nil && reasons.contains(.refresh) ? refreshEnded(isWell: isWell) : []
  }

  private mutating func refreshEnded(isWell: Bool) -> [Effect] {
    refreshEnd = nil
    return [.fact(.refreshEnded(isWell: isWell))]
  }
}
