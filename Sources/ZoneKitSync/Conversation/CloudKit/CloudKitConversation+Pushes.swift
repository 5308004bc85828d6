import ZoneKitRecords

/// Registers the push token and checks the subscription, without which no pushes arrive.
extension CloudKitConversation {
  // MARK: The push token

  mutating func askForToken(_ ledger: Ledger<some DeviceStore>) -> ConversationStep {
    let environment = ledger.configuration.pushes.environment
    guard let token = ledger.pushToken else {
      return ask(.createPushToken(environment: environment), for: .creatingToken)
    }
    let registration = PushRegistration(token: token, environment: environment, deviceID: ledger.deviceID)
    return ask(.registerPushToken(registration), for: .registeringToken(token))
  }

  func keepToken(
    _ token: String, _ ledger: inout Ledger<some DeviceStore>, at now: Moment
  ) throws(StoreError) -> [Effect] {
    var draft = ledger.draft(at: now)
    draft.memory.set(.pushToken, token)
    draft.memory.set(.pushEnvironment, ledger.configuration.pushes.environment.rawValue)
    draft.memory.set(.unsettled, 1)
    try ledger.commit(draft)
    return []
  }

  /// A token was registered. If the push service has refused it in the meantime, the device still needs a new one.
  mutating func tokenRegistered(
    _ token: String, _ ledger: inout Ledger<some DeviceStore>, at now: Moment
  ) -> [Effect] {
    self.token.registered(token)
    // Every start registers the token, so a first fetch that was due when the process ended is scheduled again here.
    if ledger.memory.integer(.unsettled) != nil { lookOnceSettled(&ledger, at: now) }
    return self.token.isDue(for: ledger.pushToken) ? [] : [.fact(.pushTokenRegistered(token))]
  }

  /// The cloud did not create or register a token. One that belongs to another account is removed.
  mutating func tokenFailed(
    _ error: CloudError, _ ledger: inout Ledger<some DeviceStore>, at now: Moment
  ) throws(StoreError) -> [Effect] {
    if error.code == .permissionFailure { try ledger.forgetPushToken(at: now) }
    token.failed(
      for: ledger.pushToken,
      retryAt: now.monotonic.advanced(byMilliseconds: ledger.configuration.pushes.retry))
    return [.fact(.pushTokenFailed(error))]
  }

  package mutating func pushTokenAccepted(at now: Moment) { token.accepted(at: now.monotonic) }

  package mutating func pushTokenRefused(_ configuration: CoordinatorConfiguration, at now: Moment) -> Int64 {
    subscription.pushTokenRefused()
    return token.refused(first: configuration.pacing.backoffFirst, limit: configuration.pushes.retry, at: now.monotonic)
  }

  // MARK: The subscription

  mutating func checked<Store: DeviceStore>(
    _ check: SubscriptionCheck, _ results: [SubscriptionResult], _ session: inout SyncSession,
    _ ledger: inout Ledger<Store>, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep {
    var check = check
    let effects: [Effect]
    switch check.received(results) {
    case .ask(let request): return ask(request, for: .checkingSubscription(check))
    case .verified(let verified): effects = try subscriptionVerified(verified, &ledger, at: now)
    case .failed(let error): effects = try subscriptionFailed(error, &ledger, at: now)
    }
    return try next(&session, &ledger, at: now, using: &generator).after(effects)
  }

  mutating func subscriptionVerified(
    _ verified: SubscriptionCheck.Verified, _ ledger: inout Ledger<some DeviceStore>, at now: Moment
  ) throws(StoreError) -> [Effect] {
    var draft = ledger.draft(at: now)
    draft.memory.set(.subscriptionID, verified.subscriptionID)
    draft.memory.subscriptionState = .active
    draft.memory.subscriptionOrigin = verified.origin
    draft.memory.set(.subscriptionVerifiedAt, now.wall)
    draft.memory.set(.subscriptionError, String?.none)
    if verified.origin != .found {
      draft.memory.set(.unsettled, 1)
      lookOnceSettled(&ledger, at: now)
    }
    try ledger.commit(draft)
    subscription.verified(at: now.monotonic)
    return [.fact(.subscriptionChecked(verified.origin))]
  }

  mutating func subscriptionFailed(
    _ error: CloudError, _ ledger: inout Ledger<some DeviceStore>, at now: Moment
  ) throws(StoreError) -> [Effect] {
    subscription.failed(at: now.monotonic)
    var draft = ledger.draft(at: now)
    draft.memory.subscriptionState = .failed
    draft.memory.set(.subscriptionError, error.reason)
    try ledger.commit(draft)
    return [.fact(.subscriptionFailed(error))]
  }

  // MARK: Other syncs

  /// Schedules a fetch for changes from just before pushes began. The feeds may not show them yet.
  private func lookOnceSettled(_ ledger: inout Ledger<some DeviceStore>, at now: Moment) {
    ledger.gate.request(
      .subscription, notBefore: now.monotonic.advanced(byMilliseconds: ledger.configuration.pushes.settling))
  }

  package func hasSettled<Store: DeviceStore>(_ session: SyncSession, _ ledger: Ledger<Store>) -> Bool {
    session.reasons.contains(.subscription) && !ledger.gate.isWaiting(for: .subscription)
      && !token.isDue(for: ledger.pushToken) && token.retryAt == nil
  }

  /// Makes the next sync check the subscription again, unless it was checked recently.
  package mutating func missedPush<Store: DeviceStore>(_ ledger: inout Ledger<Store>, at now: Moment) {
    guard subscription.missedPush(period: ledger.configuration.pushes.droughtPeriod, at: now.monotonic) else { return }
    ledger.gate.request(.subscription, now: now.monotonic)
  }

  /// Schedules a sync for a check or a registration that failed, because no other sync may come. A check that is merely
  /// due waits for the next sync.
  func wakeForRetry(_ ledger: inout Ledger<some DeviceStore>) {
    let check = subscription.failedAt?.advanced(byMilliseconds: ledger.configuration.pushes.retry)
    if let time = [check, token.retryAt].compactMap({ $0 }).min() { ledger.requestSync(.retry, at: time) }
  }
}
