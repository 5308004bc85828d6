import ZoneKitRecords

/// The push token and the subscription: what makes sure that pushes can arrive.
extension CloudKitConversation {
  // MARK: The push token

  mutating func askForToken(_ ledger: Ledger<some DeviceStore>) -> ConversationStep {
    let environment = ledger.configuration.pushEnvironment
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
    draft.memory.set(.pushEnvironment, ledger.configuration.pushEnvironment.rawValue)
    draft.memory.set(.unsettled, 1)
    try ledger.commit(draft)
    return []
  }

  /// A token that the push service refused meanwhile is no longer the device's: it still needs another one.
  mutating func tokenRegistered(
    _ token: String, _ ledger: inout Ledger<some DeviceStore>, at now: Moment
  ) -> [Effect] {
    self.token.registered(token)
    // Every start registers the token, so a look that was due when the process died is made up for here.
    if ledger.memory.integer(.unsettled) != nil { lookOnceSettled(&ledger, at: now) }
    return self.token.isDue(for: ledger.pushToken) ? [] : [.fact(.pushTokenRegistered(token))]
  }

  mutating func tokenFailed(
    _ error: CloudError, _ ledger: Ledger<some DeviceStore>, at now: Moment
  ) -> [Effect] {
    token.failed(for: ledger.pushToken, at: now.monotonic)
    return [.fact(.pushTokenFailed(error))]
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

  /// What changed just before pushes could announce it may not be in the feeds yet: they are read once more.
  private func lookOnceSettled(_ ledger: inout Ledger<some DeviceStore>, at now: Moment) {
    ledger.gate.request(
      .subscription, notBefore: now.monotonic.advanced(byMilliseconds: ledger.configuration.subscriptionSettling))
  }

  package func hasSettled<Store: DeviceStore>(_ session: SyncSession, _ ledger: Ledger<Store>) -> Bool {
    session.reasons.contains(.subscription) && !ledger.gate.isWaiting(for: .subscription)
      && !token.isDue(for: ledger.pushToken) && token.failedAt == nil
  }

  /// The subscription is checked once more, unless that was done lately.
  package mutating func missedPush<Store: DeviceStore>(_ ledger: inout Ledger<Store>, at now: Moment) {
    guard subscription.missedPush(period: ledger.configuration.droughtPeriod, at: now.monotonic) else { return }
    ledger.gate.request(.subscription, now: now.monotonic)
  }

  /// What failed is tried again although nobody else wants a sync; what is in order waits for the next one.
  func wakeForRetry(_ ledger: inout Ledger<some DeviceStore>) {
    guard let failed = [subscription.failedAt, token.failedAt].compactMap({ $0 }).min() else { return }
    ledger.requestSync(.retry, at: failed.advanced(byMilliseconds: ledger.configuration.subscriptionRetry))
  }
}
