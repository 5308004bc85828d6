import ZoneKitRecords

/// The events of a device. Each returns effects for the driver. Only events that write on behalf of the app throw. If
/// the store fails in another event, the sync is given up, the failure is reported, and the coordinator tries again
/// later.
extension SyncCoordinator {
  /// The app was launched with that account; nil if none is signed in. If it is another account than last time, the
  /// store is emptied first. Throws if the store fails; then nothing has changed.
  public mutating func launch(
    account: Name?, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    var effects: [Effect] = []
    try ledger.launch(account: account, at: now, using: &generator)
    if account != self.account { effects += try changeAccount(to: account, at: now, using: &generator) }
    conversation.launched(configuration)
    ledger.pushes.linkChanged(isOnline: availability.isOnline, at: now)
    ledger.holdBackAsAsked(at: now)
    availability.launched()
    effects.append(.fact(.launched(account: self.account, deviceID: deviceID)))
    effects += requestSyncIfNeeded(reason: .launch, at: now, using: &generator)
    return effects
  }

  /// Requests a sync. Requests are joined.
  public mutating func requestSyncIfNeeded(
    reason: SyncReason, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    if reason == .manual || reason == .account { availability.forgetRefusal() }
    guard reason == .refresh else { return requestSync(reason, at: now, using: &generator) }
    // Without an account or a link there is nothing to wait for.
    guard canSync else { return [.fact(.syncRequested(reason)), .fact(.refreshEnded(isWell: true))] }
    if refreshEnd == nil { refreshEnd = now.monotonic.advanced(byMilliseconds: configuration.pacing.refreshLimit) }
    return requestSync(reason, at: now, using: &generator)
  }

  /// The app left the foreground. If the configuration wants it and local changes wait, they are sent at once.
  public mutating func enteredBackground(
    at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    isInForeground = false
    guard configuration.pacing.sendsInBackground else { return [] }
    do throws(StoreError) {
      guard try !store.pending(in: nil, after: .min, limit: 1).isEmpty else { return [] }
    } catch {
      return storeFailed(error, at: now, using: &generator)
    }
    return requestSync(.background, at: now, using: &generator)
  }

  /// Requests a sync, with a pace of its own if it has one.
  mutating func requestSync(
    _ reason: SyncReason, pace: Pace? = nil, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    ledger.gate.request(reason, pace: pace, now: now.monotonic)
    return [.fact(.syncRequested(reason))] + proceed(at: now, using: &generator)
  }

  /// A deadline has passed.
  public mutating func tick(at now: Moment, using generator: inout some RandomNumberGenerator) -> [Effect] {
    if let refreshEnd, refreshEnd <= now.monotonic { return refreshOver(at: now, using: &generator) }
    if case .waiting(_, let request) = activity, request.deadline <= now.monotonic {
      let lost = CloudError(.serverResponseLost, "no answer within \(configuration.limits.requestTimeout) ms")
      return received(request.id, .failure(lost), at: now, using: &generator)
    }
    if isInForeground, let due = fallbackDue, due <= now.monotonic {
      fallbackDue = nil
      ledger.gate.request(.fallback, now: now.monotonic)
    }
    return proceed(at: now, using: &generator)
  }

  /// The answer to a request arrived, or its failure. An answer to a request that was given up is ignored.
  public mutating func received(
    _ id: RequestID, _ answer: Result<CloudResponse, CloudError>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    guard case .waiting(let session, let request) = activity, request.id == id else { return [.fact(.lateAnswer(id))] }
    do throws(StoreError) {
      return try takeIn(answer, session, at: now, using: &generator)
    } catch {
      return storeFailed(error, at: now, using: &generator)
    }
  }

  private mutating func takeIn(
    _ answer: Result<CloudResponse, CloudError>, _ session: SyncSession, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    var session = session
    let step: ConversationStep
    switch answer {
    case .success(.failure(let error)), .failure(let error):
      step = try conversation.failed(error, &session, &ledger, at: now, using: &generator)
    case .success(let response):
      step = try conversation.received(response, &session, &ledger, at: now, using: &generator)
    }
    return try carryOut(step, session, at: now, using: &generator)
  }

  /// The link was lost or restored. Without a link nothing is sent, and edits are still possible.
  public mutating func linkChanged(
    isOnline: Bool, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    guard availability.linkChanged(isOnline: isOnline) else { return [] }
    ledger.pushes.linkChanged(isOnline: isOnline, at: now)
    let fact = Effect.fact(.linkChanged(isOnline: isOnline))
    guard isOnline else {
      abandonSync()
      return [fact]
    }
    ledger.backoff.reset()
    ledger.gate.endBackoff()
    return [fact] + requestSyncIfNeeded(reason: .reconnect, at: now, using: &generator)
  }

  /// Holds the coordinator's own reasons for syncs back, such as pushes and edits, or ends that. The app asks for the syncs
  /// in the meantime, for example while it uploads everything once. A sync for another reason takes them along.
  package mutating func holdOwnReasons(
    _ isHeld: Bool, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    ledger.gate.holdsOwnReasons = isHeld
    return proceed(at: now, using: &generator)
  }

  /// The app came to the foreground.
  public mutating func foreground(
    at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    isInForeground = true
    return requestSyncIfNeeded(reason: .foreground, at: now, using: &generator)
  }

  /// Sends a record now and before all others, at the user's request. One that the cloud refused is tried again. A record
  /// without an unsent change only causes a sync. Throws if the store fails.
  public mutating func sendFirst(
    _ recordID: RecordID, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    let released = try ledger.sendFirst(recordID, at: now)
    return released + requestSyncIfNeeded(reason: .manual, at: now, using: &generator)
  }

  /// Stores the app's edits, all or none, and requests a sync that sends them. An edit that changes nothing writes,
  /// stamps and sends nothing. The changes of the app's own values are stored with them, also without an edit. Throws if
  /// the store fails, or if an edit names another type than the record has, which can never change; then nothing has
  /// changed.
  public mutating func edit(
    _ edits: [RecordEdit], setting appValues: [AppValueChange] = [], at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    guard let effects = try ledger.edit(edits, setting: appValues, at: now) else { return [] }
    return effects + requestSyncIfNeeded(reason: .localChange, at: now, using: &generator)
  }
}
