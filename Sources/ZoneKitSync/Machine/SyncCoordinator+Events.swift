import ZoneKitRecords

/// What can happen to a device. Every event returns what is to be done; none throws but those that write what the app asks
/// for: where the store fails otherwise, the sync is given up, the failure is reported, and the coordinator comes back
/// later.
extension SyncCoordinator {
  /// The app has started, for that account; nil where nobody is signed in. Another account than last time empties the
  /// store first. Throws where the store fails; then nothing has happened.
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

  /// Somebody wants the device to be in agreement with the cloud; joined with other requests.
  public mutating func requestSyncIfNeeded(
    reason: SyncReason, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    if reason == .manual || reason == .account { availability.forgetRefusal() }
    ledger.gate.request(reason, now: now.monotonic)
    return [.fact(.syncRequested(reason))] + proceed(at: now, using: &generator)
  }

  /// A deadline has come.
  public mutating func tick(at now: Moment, using generator: inout some RandomNumberGenerator) -> [Effect] {
    if case .waiting(_, let request) = activity, request.deadline <= now.monotonic {
      let lost = CloudError(.serverResponseLost, "no answer within \(configuration.requestTimeout) ms")
      return received(request.id, .failure(lost), at: now, using: &generator)
    }
    if let due = fallbackDue, due <= now.monotonic {
      fallbackDue = nil
      ledger.gate.request(.fallback, now: now.monotonic)
    }
    return proceed(at: now, using: &generator)
  }

  /// The answer to a request, or why there is none. An answer to a request that was given up changes nothing.
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

  /// The link went down or came back. While it is down nothing is asked of the cloud, and edits go on.
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

  /// The app came to the foreground.
  public mutating func foreground(
    at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    requestSyncIfNeeded(reason: .foreground, at: now, using: &generator)
  }

  /// Keeps the app's edits, all or none, and schedules their sending. An edit that changes nothing writes nothing, stamps
  /// nothing and sends nothing. Throws where the store fails, and where an edit names another type than the record has,
  /// which never changes; then nothing has changed.
  public mutating func edit(
    _ edits: [RecordEdit], at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    guard let effects = try ledger.edit(edits, at: now) else { return [] }
    return effects + requestSyncIfNeeded(reason: .localChange, at: now, using: &generator)
  }
}
