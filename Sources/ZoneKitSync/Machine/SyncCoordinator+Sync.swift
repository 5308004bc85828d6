import ZoneKitRecords

/// The start, the steps and the end of a sync.
extension SyncCoordinator {
  /// Starts a sync if one is due.
  mutating func proceed(at now: Moment, using generator: inout some RandomNumberGenerator) -> [Effect] {
    guard canSync, case .idle = activity, let reasons = ledger.gate.begin(now: now.monotonic) else { return [] }
    do throws(StoreError) {
      return try beginSync(reasons, at: now, using: &generator)
    } catch {
      return storeFailed(error, at: now, using: &generator)
    }
  }

  private mutating func beginSync(
    _ reasons: SyncReasons, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    let onlySends = reasons.areOfLeaving || (reasons == [.localChange] && ledger.gate.isBackingOff(now: now.monotonic))
    // Changes of this device alone are sent without a fetch, unless the app wants one.
    let isLocal = onlySends || (reasons == [.localChange] && !configuration.pacing.localChangesFetch)
    let hasUnseen = !onlySends && ledger.zones.contains(where: \.hasManyAcknowledged)
    let hasToFetch = !reasons.areOfLeaving && (!isLocal || !activity.hasFinished || hasUnseen)
    let leavesPushes = ledger.gate.leavesPushes
    let isForLast = !isLocal && (!leavesPushes || reasons.contains(.push))
    var session = SyncSession(
      reasons: reasons, hasToFetch: hasToFetch, onlySends: onlySends, scope: scope(of: reasons), startedAt: now.wall,
      push: isForLast ? ledger.pushes.last : nil)
    conversation.begin(session, ledger, at: now)
    if reasons.contains(.manual) { try ledger.forgetFullCloud(at: now) }
    if !isLocal, !leavesPushes { ledger.pushes.tookLast() }
    activity = .idle(hasFinished: false)
    let step = try conversation.next(&session, &ledger, at: now, using: &generator)
    return [.fact(.syncStarted(reasons))] + (try carryOut(step, session, at: now, using: &generator))
  }

  /// What a sync for those reasons fetches. Only pushes announce what changed.
  private func scope(of reasons: SyncReasons) -> FetchScope {
    let isForPushes =
      reasons == [.push] || (reasons == [.push, .localChange] && !configuration.pacing.localChangesFetch)
    return (isForPushes ? ledger.pushes.scope : nil) ?? .everything
  }

  /// Carries out the next step of the conversation.
  mutating func carryOut(
    _ step: ConversationStep, _ session: SyncSession, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    switch step.action {
    case .ask(let request): return step.effects + ask(request, in: session, at: now)
    case .end: return step.effects + (try finish(session, at: now, using: &generator))
    case .giveUp(let error): return step.effects + (try giveUp(session, error, at: now, using: &generator))
    }
  }

  private mutating func ask(_ request: CloudRequest, in session: SyncSession, at now: Moment) -> [Effect] {
    lastRequest += 1
    let id = RequestID(number: lastRequest)
    let deadline = now.monotonic.advanced(byMilliseconds: configuration.limits.requestTimeout)
    var session = session
    session.asks(request)
    activity = .waiting(session, PendingRequest(id: id, deadline: deadline))
    return [.send(id, request)]
  }

  /// Ends the running sync early. Its purpose can be derived from the store.
  mutating func abandonSync() {
    activity = .idle(hasFinished: activity.hasFinished)
    conversation.abandon()
    if ledger.gate.isSyncing { ledger.gate.finish() }
  }

  /// Gives the sync up because the store failed. The coordinator tries again later.
  mutating func storeFailed(
    _ error: StoreError, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    abandonSync()
    let wait = ledger.backoff.next(using: &generator)
    ledger.gate.request(.retry, at: now.monotonic.advanced(byMilliseconds: wait))
    return [.fact(.storeFailed(error))]
  }

  // MARK: The end

  private mutating func finish(
    _ session: SyncSession, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    if let setback = session.setback {
      let extent = session.onlySends ? max(session.setbackExtent, .fetching) : session.setbackExtent
      return try giveUp(session, setback, holding: extent, at: now, using: &generator)
    }
    guard !session.onlySends else { return finishSending(session, at: now, using: &generator) }
    var effects: [Effect] = [.fact(.syncFinished(session.reasons, records: session.records, pages: session.pages))]
    var draft = ledger.draft(at: now)
    if session.isFetch { ledger.note(.ok, of: session, in: &draft, at: now) }
    if session.push != nil {
      draft.memory.set(.pushLastHandledAt, now.wall)
      if session.hasVisibleChange { draft.memory.set(.pushLastLedToChangeAt, now.wall) }
    } else if session.hasVisibleChange, ledger.hasDrought(session, at: now) {
      draft.memory.set(.pushDrought, 1)
      conversation.missedPush(&ledger, at: now)
      effects.append(.fact(.drought))
    }
    if conversation.hasSettled(session, ledger) { draft.memory.set(.unsettled, Int64?.none) }
    draft.memory.set(.retryAfter, Int64?.none)
    try ledger.commit(draft)
    activity = .idle(hasFinished: true)
    ledger.finishSync()
    let listedWithoutChanges = conversation.ended(session, &ledger, at: now)
    if session.isFetch {
      fallbackDue = now.monotonic.advanced(byMilliseconds: configuration.pacing.fallback)
      ledger.lookAgainIfFeedsAreBehind(session, listedWithoutChanges: listedWithoutChanges, at: now)
    }
    return effects + refreshEnded(by: session.reasons, isWell: true) + proceed(at: now, using: &generator)
  }

  /// Ends a sync that only sent, because fetching fails or the app left the foreground. The back-off of fetching goes on.
  private mutating func finishSending(
    _ session: SyncSession, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    abandonSync()
    return [.fact(.syncFinished(session.reasons, records: 0, pages: 0))] + proceed(at: now, using: &generator)
  }

  /// Ends the sync with a failure. It is tried again later.
  private mutating func giveUp(
    _ session: SyncSession, _ error: CloudError, holding extent: SetbackExtent = .everything, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    abandonSync()
    if extent == .zones { activity = .idle(hasFinished: true) }
    // The push is traced to the sync that succeeds.
    ledger.pushes.giveBack(session.push)
    let isRefusal = Availability.isRefusal(error)
    var wait: Int64?
    if !isRefusal {
      let pause = ledger.backOff(after: error, holding: extent, at: now, using: &generator)
      // A sync that left out a zone does not delay the next request to that zone.
      if let end = conversation.setBack(until: now.monotonic.advanced(byMilliseconds: pause)) {
        ledger.requestSync(.retry, at: end)
      }
      wait = pause
    }
    try ledger.noteFailure(error, of: session, at: now)
    // After the write: if that fails, the sync is tried again, and the refusal is reported then.
    if isRefusal { availability.refused(error) }
    let signedOut = availability.refusesAccount ? [Effect.fact(.signedOut(error))] : []
    return [.fact(.syncFailed(session.reasons, error, retryIn: wait))] + signedOut
      + refreshEnded(by: session.reasons, isWell: false) + proceed(at: now, using: &generator)
  }
}
