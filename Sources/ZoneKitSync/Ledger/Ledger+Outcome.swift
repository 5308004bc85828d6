import ZoneKitRecords

/// The ends of syncs.
extension Ledger {
  /// Writes the result of a sync that fetched changes into a draft.
  func note(_ result: FetchResult, of session: SyncSession, in draft: inout DeviceDraft, at now: Moment) {
    draft.memory.set(.fetchLastStartedAt, session.startedAt)
    draft.memory.set(.fetchLastFinishedAt, now.wall)
    draft.memory.set(.fetchLastReason, session.reasons.text)
    draft.memory.fetchResult = result
    draft.memory.set(.fetchRecords, Int64(session.records))
    draft.memory.set(.fetchPages, Int64(session.pages))
    if result == .ok { draft.memory.set(.fetchLastSucceededAt, now.wall) }
  }

  /// Ends the sync. The next one may start.
  mutating func finishSync() {
    gate.finish()
    backoff.reset()
    gate.endBackoff()
  }

  /// Requests another sync after a failure. Until then the requests of that extent wait. Returns the waiting time in
  /// milliseconds.
  mutating func backOff(
    after error: CloudError, holding extent: SetbackExtent, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) -> Int64 {
    let pause = max(backoff.next(using: &generator), error.retryAfterMilliseconds ?? 0)
    let until = now.monotonic.advanced(byMilliseconds: pause)
    // A retry time of the cloud applies to all syncs. The device's own back-off does not apply to the user's requests.
    if let asked = error.retryAfterMilliseconds {
      gate.holdForServer(until: now.monotonic.advanced(byMilliseconds: asked))
    }
    switch extent {
    case .zones: gate.endBackoff()
    case .fetching: gate.backOff(until: until, sparesEdits: true)
    case .everything: gate.backOff(until: until)
    }
    gate.request(.retry, at: until)
    return pause
  }

  /// Stores that a sync failed, and the time until which the cloud asked for a pause.
  mutating func noteFailure(_ error: CloudError, of session: SyncSession, at now: Moment) throws(StoreError) {
    var draft = draft(at: now)
    note(.failed(error.code, reason: error.reason), of: session, in: &draft, at: now)
    let asked = error.retryAfterMilliseconds.map { now.wall.advanced(byMilliseconds: $0) }
    draft.memory.set(.retryAfter, asked)
    try commit(draft)
  }
}
