import ZoneKitRecords

/// How a sync ended.
extension Ledger {
  /// Notes in a draft how a sync ended that asked the feeds.
  func note(_ result: FetchResult, of session: SyncSession, in draft: inout DeviceDraft, at now: Moment) {
    draft.memory.set(.fetchLastStartedAt, session.startedAt)
    draft.memory.set(.fetchLastFinishedAt, now.wall)
    draft.memory.set(.fetchLastReason, session.reasons.text)
    draft.memory.fetchResult = result
    draft.memory.set(.fetchRecords, Int64(session.records))
    draft.memory.set(.fetchPages, Int64(session.pages))
    if result == .ok { draft.memory.set(.fetchLastSucceededAt, now.wall) }
  }

  /// The sync is over: the next one may start.
  mutating func finishSync() {
    gate.finish()
    backoff.reset()
    gate.endBackoff()
  }

  /// The cloud failed a sync: asks for another one after a pause. Returns the pause in milliseconds.
  mutating func backOff(
    after error: CloudError, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> Int64 {
    let pause = max(backoff.next(using: &generator), error.retryAfterMilliseconds ?? 0)
    let until = now.monotonic.advanced(byMilliseconds: pause)
    // What the cloud asked for holds for everything; that this device waits longer does not hold for the user.
    if let asked = error.retryAfterMilliseconds {
      gate.holdForServer(until: now.monotonic.advanced(byMilliseconds: asked))
    }
    gate.backOff(until: until)
    gate.request(.retry, at: until)
    return pause
  }

  /// Notes that a sync failed, and until when the cloud asked to be left alone.
  mutating func noteFailure(_ error: CloudError, of session: SyncSession, at now: Moment) throws(StoreError) {
    var draft = draft(at: now)
    note(.failed(error.code, reason: error.reason), of: session, in: &draft, at: now)
    let asked = error.retryAfterMilliseconds.map { now.wall.advanced(byMilliseconds: $0) }
    draft.memory.set(.retryAfter, asked)
    try commit(draft)
  }
}
