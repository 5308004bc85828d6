import ZoneKitRecords

/// A sync: what is asked of the cloud in which order, and how it ends.
extension SyncCoordinator {
  mutating func beginSync(
    _ reasons: SyncReasons, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    // What only this device changed needs no look at the feeds before it is sent, unless an answer is missing: what was
    // sent without one may have been deleted by somebody since, and must not be made anew.
    let isLocal = reasons == [.localChange]
    if !isLocal { renewDuties(for: reasons, at: now) }
    if reasons.contains(.manual) { try forgetFullCloud(at: now) }
    let push = isLocal ? nil : lastPush
    if !isLocal { lastPush = nil }
    var session = SyncSession(
      reasons: reasons, phase: nil, fetchesDatabase: !isLocal || memory.databaseToken == nil || !hasFinished,
      startedAt: now.wall, push: push,
      batchLimit: min(max(configuration.batchLimit, 1), ModifyRecords.operationLimit))
    hasFinished = false
    session.checksZones = isZoneCheckDue(for: reasons, at: now)
    if session.checksZones { session.unseenZones = memory.zones.map(\.zoneID) }
    return [.fact(.syncStarted(reasons))] + (try advance(session, at: now, using: &generator))
  }

  /// The user may have made room, and knows better than an hour's pause.
  private mutating func forgetFullCloud(at now: Moment) throws(StoreError) {
    var draft = draft(at: now)
    draft.memory.set(.quotaExceededAt, Int64?.none)
    try commit(draft)
  }

  /// Asks for the next thing that is missing, or ends the sync.
  mutating func advance(
    _ session: SyncSession, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    if duties.registersToken { return askForToken(session, at: now) }
    if duties.checksSubscription, let id = configuration.subscriptionID {
      let check = SubscriptionCheck(subscriptionID: id, removesExtras: configuration.removesExtraSubscriptions)
      return ask(check.request, for: .checkingSubscription(check), in: session, at: now)
    }
    guard session.pages < Self.pageCeiling else {
      let error = CloudError(.internalError, "the feeds did not end after \(Self.pageCeiling) pages")
      return try giveUp(session, error, at: now, using: &generator)
    }
    if session.fetchesDatabase {
      let request = CloudRequest.fetchDatabaseChanges(since: memory.databaseToken, limit: ZoneChangesQuery.pageLimit)
      return ask(request, for: .fetchingDatabase, in: session, at: now)
    }
    let stale = memory.zones.filter {
      ($0.isToRead || session.unseenZones.contains($0.zoneID)) && !session.failedZones.contains($0.zoneID)
        && !session.sweptZones.contains($0.zoneID)
    }
    if !stale.isEmpty { return askForZones(Array(stale.prefix(configuration.bounds.zones)), in: session, at: now) }
    if let effects = askForLookups(session, at: now) { return effects }
    if let zoneID = session.zonesToCreate.first {
      var session = session
      session.zonesToCreate.removeAll { $0 == zoneID }
      return ask(.modifyZones([.create(zoneID)]), for: .creatingZone(zoneID), in: session, at: now)
    }
    if let effects = try send(session, at: now, using: &generator) { return effects }
    if let effects = try releaseWaiting(session, at: now, using: &generator) { return effects }
    return try finish(session, at: now, using: &generator)
  }

  /// After how many pages one sync takes a breath, however many new tokens the feeds go on giving: far more than any
  /// device holds. The next one goes on from the last token.
  static var pageCeiling: Int { 20_000 }

  mutating func ask(
    _ request: CloudRequest, for phase: SyncSession.Phase, in session: SyncSession, at now: Moment
  ) -> [Effect] {
    lastRequest += 1
    let id = RequestID(number: lastRequest)
    var session = session
    session.phase = phase
    let deadline = now.monotonic.advanced(byMilliseconds: configuration.requestTimeout)
    activity = .waiting(session, PendingRequest(id: id, deadline: deadline))
    return [.send(id, request)]
  }

  private mutating func askForToken(_ session: SyncSession, at now: Moment) -> [Effect] {
    guard let token = pushToken else {
      return ask(
        .createPushToken(environment: configuration.pushEnvironment), for: .creatingToken, in: session, at: now)
    }
    let registration = PushRegistration(
      token: token, environment: configuration.pushEnvironment, deviceID: deviceID)
    return ask(.registerPushToken(registration), for: .registeringToken(token), in: session, at: now)
  }

  /// Takes an answer in and goes on.
  mutating func answered(
    _ session: SyncSession, _ response: CloudResponse, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    var session = session
    let effects: [Effect]
    switch (session.phase, response) {
    case (.creatingToken, .pushToken(_, let token)): effects = try keepToken(token, at: now)
    case (.registeringToken(let token), .pushToken): effects = tokenRegistered(token, at: now)
    case (.checkingSubscription(let check), .subscriptions(let results)):
      return try checked(check, results, session, at: now, using: &generator)
    case (.fetchingDatabase, .databaseChanges(let changes)):
      effects = try merge(changes, &session, at: now)
    case (.fetchingZones, .zoneChanges(let results)):
      effects = try merge(results, &session, at: now, using: &generator)
    case (.creatingZone(let zoneID), .zones(let results)):
      effects = try created(zoneID, results, &session, at: now)
    case (.sending(let batch), .records(let results)), (.sending(let batch), .atomicFailure(let results)):
      effects = try sent(batch, results, &session, at: now, using: &generator)
    case (.lookingUp(let zoneID, let names), .records(let results)):
      effects = try lookedUp(names, in: zoneID, results, &session, at: now, using: &generator)
    default:
      let error = CloudError(.internalError, "the answer does not fit the request")
      return try failed(session, error, at: now, using: &generator)
    }
    return effects + (try advance(session, at: now, using: &generator))
  }

  private mutating func keepToken(_ token: String, at now: Moment) throws(StoreError) -> [Effect] {
    var draft = draft(at: now)
    draft.memory.set(.pushToken, token)
    draft.memory.set(.pushEnvironment, configuration.pushEnvironment)
    draft.memory.set(.unsettled, 1)
    try commit(draft)
    return []
  }

  private mutating func tokenRegistered(_ token: String, at now: Moment) -> [Effect] {
    // A token that the push service refused meanwhile is no longer the device's: it still needs another one.
    duties.registersToken = token != pushToken
    tokenFailedAt = nil
    // Every start registers the token, so a look that was due when the process died is made up for here.
    if memory.integer(.unsettled) != nil { lookOnceSettled(at: now) }
    return duties.registersToken ? [] : [.fact(.pushTokenRegistered(token))]
  }

  // MARK: The end

  private mutating func finish(
    _ session: SyncSession, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    if let setback = session.setback { return try giveUp(session, setback, at: now, using: &generator) }
    var effects: [Effect] = [.fact(.syncFinished(session.reasons, records: session.records, pages: session.pages))]
    var draft = draft(at: now)
    let hasFetched = session.reasons != [.localChange] || session.pages > 0
    if hasFetched { note("ok", of: session, in: &draft, at: now) }
    if session.push != nil {
      draft.memory.set(.pushLastHandledAt, now.wall)
      if session.hasVisibleChange { draft.memory.set(.pushLastLedToChangeAt, now.wall) }
    } else if session.hasVisibleChange, hasDrought(session, at: now) {
      draft.memory.set(.pushDrought, 1)
      checkAfterDrought(at: now)
      effects.append(.fact(.drought))
    }
    if hasSettled(session) { draft.memory.set(.unsettled, Int64?.none) }
    draft.memory.set(.retryAfter, Int64?.none)
    try commit(draft)
    activity = .idle
    hasFinished = true
    gate.finish()
    backoff.reset()
    gate.endBackoff()
    if session.checksZones { zonesCheckedAt = now.monotonic }
    if hasFetched {
      fallbackDue = now.monotonic.advanced(byMilliseconds: configuration.fallback)
      lookAgainIfFeedsAreBehind(session, at: now)
    }
    wakeForDuties()
    return effects + proceed(at: now, using: &generator)
  }

  private func note(_ result: String, of session: SyncSession, in draft: inout DeviceDraft, at now: Moment) {
    draft.memory.set(.fetchLastStartedAt, session.startedAt)
    draft.memory.set(.fetchLastFinishedAt, now.wall)
    draft.memory.set(.fetchLastReason, session.reasons.text)
    draft.memory.set(.fetchLastResult, result)
    draft.memory.set(.fetchRecords, Int64(session.records))
    draft.memory.set(.fetchPages, Int64(session.pages))
    if result == "ok" { draft.memory.set(.fetchLastSucceededAt, now.wall) }
  }

  /// A change that is older than a push needs, and no push since: pushes do not arrive.
  private func hasDrought(_ session: SyncSession, at now: Moment) -> Bool {
    guard memory.integer(.fetchLastSucceededAt) != nil, let listeningSince, let modified = session.newestModification
    else { return false }
    // By this device's clock; before the app listened no push could reach it.
    let newest = modified.advanced(byMilliseconds: -(memory.integer(.clockOffset) ?? 0))
    let heardAt = max(memory.time(.pushLastReceivedAt) ?? listeningSince, listeningSince)
    return newest.advanced(byMilliseconds: configuration.droughtGrace) < now.wall && heardAt < newest
  }

  /// Asks the feeds again for what pushes or the database's feed announced and the zones' feeds did not show yet.
  private mutating func lookAgainIfFeedsAreBehind(_ session: SyncSession, at now: Moment) {
    awaited.listedInVain(!session.silentZones.isEmpty)
    guard !awaited.isEmpty else { return }
    let hasNews = session.hasVisibleChange || session.newestModification != nil
    let newest = newestSeen
    let isAhead = awaited.read(hasNews: hasNews, tries: configuration.emptyPushTries) { zoneID in
      zoneID.map { newest[$0] } ?? newest.values.max()
    }
    guard isAhead else { return }
    if lastPush == nil { lastPush = session.push }
    // A sync for something else that comes before the look is no look of its own.
    guard !gate.isWaiting(for: .emptyPush) else { return }
    let wait = awaited.look(first: configuration.emptyPushDelay)
    gate.request(.emptyPush, at: now.monotonic.advanced(byMilliseconds: wait))
  }

  /// Takes in that there is no answer, or only an error for the request as a whole.
  mutating func failed(
    _ session: SyncSession, _ error: CloudError, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    var session = session
    guard !error.code.stopsSync else { return try giveUp(session, error, at: now, using: &generator) }
    let effects: [Effect]
    switch session.phase {
    case .creatingToken, .registeringToken:
      effects = tokenFailed(error, at: now)
    case .checkingSubscription(let check):
      if case .verified(let id, let origin)? = check.outcomeSoFar {
        effects = try subscriptionVerified(id, origin, at: now)
      } else {
        effects = try subscriptionFailed(error, at: now)
      }
    case .fetchingDatabase where error.code == .changeTokenExpired && memory.databaseToken != nil:
      effects = try forgetDatabaseToken(at: now)
    case .fetchingZones(let zones):
      effects = try zonesFailed(zones, error, &session, at: now)
    case .sending(let batch):
      effects = try refused(batch, error, &session, at: now)
    case .lookingUp(let zoneID, let names) where error.code == .userDeletedZone:
      effects = try refused(SentBatch(zoneID: zoneID, names: names), error, &session, at: now)
    case .lookingUp(let zoneID, let names) where error.code == .zoneNotFound:
      session.lookups[zoneID] = nil
      session.looked(at: names, in: zoneID)
      try forgetDeleted(names, in: zoneID, at: now)
      effects = []
    case .fetchingDatabase, .creatingZone, .lookingUp, nil:
      return try giveUp(session, error, at: now, using: &generator)
    }
    return effects + (try advance(session, at: now, using: &generator))
  }

  /// Ends the sync without success; it is tried again later.
  mutating func giveUp(
    _ session: SyncSession, _ error: CloudError, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    abandonSync()
    // The sync that succeeds is the one that the push led to.
    if lastPush == nil { lastPush = session.push }
    var wait: Int64?
    if error.code == .notAuthenticated || error.code == .authenticationFailed {
      refusal = error
    } else {
      let pause = max(backoff.next(using: &generator), error.retryAfterMilliseconds ?? 0)
      wait = pause
      let until = now.monotonic.advanced(byMilliseconds: pause)
      // What the cloud asked for holds for everything; that this device waits longer holds for nobody who cannot wait.
      if let asked = error.retryAfterMilliseconds {
        gate.holdForServer(until: now.monotonic.advanced(byMilliseconds: asked))
      }
      gate.backOff(until: until)
      gate.request(.retry, at: until)
    }
    var draft = draft(at: now)
    note("\(error.code.rawValue): \(error.reason)", of: session, in: &draft, at: now)
    let asked = error.retryAfterMilliseconds.map { now.wall.advanced(byMilliseconds: $0) }
    draft.memory.set(.retryAfter, asked)
    try commit(draft)
    let told = refusal == nil ? [] : [Effect.fact(.signedOut(error))]
    return [.fact(.syncFailed(session.reasons, error, retryIn: wait))] + told + proceed(at: now, using: &generator)
  }
}

extension CloudErrorCode {
  /// Whether nothing else needs to be tried now: the cloud cannot be reached, or wants to be left alone, or does not know
  /// the account (sync semantics, 1.8).
  var stopsSync: Bool {
    switch self {
    case .networkUnavailable, .networkFailure, .serverResponseLost, .serviceUnavailable, .requestRateLimited, .zoneBusy,
      .notAuthenticated, .authenticationFailed, .accountTemporarilyUnavailable, .internalError, .badContainer:
      true
    case .permissionFailure, .unknownItem, .invalidArguments, .serverRecordChanged, .serverRejectedRequest,
      .assetNotAvailable, .constraintViolation, .changeTokenExpired, .batchRequestFailed, .quotaExceeded, .zoneNotFound,
      .limitExceeded, .userDeletedZone, .referenceViolation:
      false
    }
  }
}
