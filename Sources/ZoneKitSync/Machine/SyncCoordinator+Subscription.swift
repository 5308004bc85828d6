import ZoneKitRecords

/// The subscription and the push token: what makes sure that pushes can arrive.
extension SyncCoordinator {
  /// What was in order yesterday need not be today: the cloud can lose a subscription without a word (sync semantics, 2.1).
  /// What failed is tried again after an hour, or when the user asks for it.
  mutating func renewDuties(for reasons: SyncReasons, at now: Moment) {
    guard configuration.subscriptionID != nil else { return }
    if reasons.contains(.manual) {
      if tokenFailedAt != nil { duties.registersToken = true }
      if lastCheck?.isVerified == false { duties.checksSubscription = true }
    }
    if let lastCheck {
      let wait = lastCheck.isVerified ? configuration.subscriptionPeriod : configuration.subscriptionRetry
      if lastCheck.at.advanced(byMilliseconds: wait) <= now.monotonic { duties.checksSubscription = true }
    }
    if let tokenFailedAt, tokenFailedAt.advanced(byMilliseconds: configuration.subscriptionRetry) <= now.monotonic {
      duties.registersToken = true
    }
  }

  /// What failed is tried again although nobody else wants a sync; what is in order waits for the next one.
  mutating func wakeForDuties() {
    let failed = [lastCheck?.isVerified == false ? lastCheck?.at : nil, tokenFailedAt].compactMap { $0 }.min()
    guard configuration.subscriptionID != nil, let failed else { return }
    gate.request(.retry, at: failed.advanced(byMilliseconds: configuration.subscriptionRetry))
  }

  /// Pushes are missing: the subscription is looked at once more, unless that was done lately.
  mutating func checkAfterDrought(at now: Moment) {
    guard configuration.subscriptionID != nil,
      lastCheck.map({ $0.at.advanced(byMilliseconds: configuration.droughtPeriod) <= now.monotonic }) ?? true
    else { return }
    duties.checksSubscription = true
    gate.request(.subscription, now: now.monotonic)
  }

  mutating func checked(
    _ check: SubscriptionCheck, _ results: [SubscriptionResult], _ session: SyncSession, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    var check = check
    let effects: [Effect]
    switch check.received(results) {
    case .ask(let request): return ask(request, for: .checkingSubscription(check), in: session, at: now)
    case .verified(let id, let origin): effects = try subscriptionVerified(id, origin, at: now)
    case .failed(let error): effects = try subscriptionFailed(error, at: now)
    }
    return effects + (try advance(session, at: now, using: &generator))
  }

  mutating func subscriptionVerified(
    _ id: String, _ origin: SubscriptionCheck.Origin, at now: Moment
  ) throws(StoreError) -> [Effect] {
    var draft = draft(at: now)
    draft.memory.set(.subscriptionID, id)
    draft.memory.set(.subscriptionState, "active")
    draft.memory.set(.subscriptionOrigin, origin.rawValue)
    draft.memory.set(.subscriptionVerifiedAt, now.wall)
    draft.memory.set(.subscriptionError, String?.none)
    if origin != .found {
      draft.memory.set(.unsettled, 1)
      lookOnceSettled(at: now)
    }
    try commit(draft)
    duties.checksSubscription = false
    lastCheck = (now.monotonic, true)
    return [.fact(.subscriptionChecked(origin))]
  }

  mutating func subscriptionFailed(_ error: CloudError, at now: Moment) throws(StoreError) -> [Effect] {
    duties.checksSubscription = false
    lastCheck = (now.monotonic, false)
    var draft = draft(at: now)
    draft.memory.set(.subscriptionState, "failed")
    draft.memory.set(.subscriptionError, error.reason)
    try commit(draft)
    return [.fact(.subscriptionFailed(error))]
  }

  /// What changed just before pushes could tell of it may not be in the feeds yet: they are read once more.
  mutating func lookOnceSettled(at now: Moment) {
    gate.request(.subscription, notBefore: now.monotonic.advanced(byMilliseconds: configuration.subscriptionSettling))
  }

  /// Whether a sync was that look, and none is to come for what is newer still.
  func hasSettled(_ session: SyncSession) -> Bool {
    session.reasons.contains(.subscription) && !gate.isWaiting(for: .subscription) && !duties.registersToken
      && tokenFailedAt == nil
  }

  /// The push token is lost, whoever took it: the sync that runs or the next one registers another.
  mutating func replaceToken() {
    duties.registersToken = configuration.subscriptionID != nil
    tokenFailedAt = nil
  }

  mutating func tokenFailed(_ error: CloudError, at now: Moment) -> [Effect] {
    duties.registersToken = false
    tokenFailedAt = now.monotonic
    return [.fact(.pushTokenFailed(error))]
  }
}
