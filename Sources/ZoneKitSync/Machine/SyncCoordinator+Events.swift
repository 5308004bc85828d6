import ZoneKitRecords

/// What can happen to a device. Every event returns what is to be done; none throws but those that write what the app asks
/// for: where the store fails otherwise, the sync is given up, the trouble is told, and the coordinator comes back later.
extension SyncCoordinator {
  /// The app has started, for that account; nil where nobody is signed in. Another account than last time empties the
  /// store first. Throws where the store fails; then nothing has happened.
  public mutating func launch(
    account: Name?, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    var effects: [Effect] = []
    var draft = draft(at: now)
    if draft.memory.text(.deviceID) == nil {
      draft.memory.set(.deviceID, RandomIdentifier.uuid(using: &generator))
      draft.memory.set(.account, account?.text)
    }
    draft.memory.set(.subscriptionState, "unknown")
    try commit(draft)
    if account != memory.account { effects += try changeAccount(to: account, at: now, using: &generator) }
    duties = Duties(
      registersToken: configuration.subscriptionID != nil, checksSubscription: configuration.subscriptionID != nil)
    listeningSince = isOnline ? now.wall : nil
    holdBackAsAsked(at: now)
    hasLaunched = true
    effects.append(.fact(.launched(account: memory.account, deviceID: deviceID)))
    effects += requestSyncIfNeeded(reason: .launch, at: now, using: &generator)
    return effects
  }

  /// A retry time that the cloud gave before the restart still holds, but for no longer than the cloud asked: the clock may
  /// have been set back since.
  private mutating func holdBackAsAsked(at now: Moment) {
    guard let until = memory.time(.retryAfter), let askedAt = memory.time(.fetchLastFinishedAt) else { return }
    let wait = min(until.milliseconds - now.wall.milliseconds, until.milliseconds - askedAt.milliseconds)
    guard (1...Self.retryAfterLimit).contains(wait) else { return }
    gate.holdForServer(until: now.monotonic.advanced(byMilliseconds: wait))
  }

  /// The longest retry time that is believed after a restart, in milliseconds: one day.
  private static var retryAfterLimit: Int64 { 86_400_000 }

  /// Somebody wants the device to be in agreement with the cloud; joined with other wishes.
  public mutating func requestSyncIfNeeded(
    reason: SyncReason, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    if reason == .manual || reason == .account { refusal = nil }
    gate.request(reason, now: now.monotonic)
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
      gate.request(.fallback, now: now.monotonic)
    }
    return proceed(at: now, using: &generator)
  }

  /// The link went down or came back. While it is down nothing is asked of the cloud, and edits go on.
  public mutating func linkChanged(
    isOnline: Bool, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    guard isOnline != self.isOnline else { return [] }
    self.isOnline = isOnline
    listeningSince = isOnline ? now.wall : nil
    let fact = Effect.fact(.linkChanged(isOnline: isOnline))
    guard isOnline else {
      abandonSync()
      return [fact]
    }
    backoff.reset()
    gate.endBackoff()
    return [fact] + requestSyncIfNeeded(reason: .reconnect, at: now, using: &generator)
  }

  /// The push service has taken the device's hello: what it could not deliver before is to be caught up.
  public mutating func pushConnected(
    at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    requestSyncIfNeeded(reason: .reconnect, at: now, using: &generator)
  }

  /// The push service does not know the device's token (any more): a new one is registered with the next sync.
  public mutating func pushTokenRefused(
    at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    handling(at: now, using: &generator) { (self, generator) throws(StoreError) in
      var draft = self.draft(at: now)
      draft.memory.set(.pushToken, String?.none)
      try self.commit(draft)
      return self.requestSyncIfNeeded(reason: .subscription, at: now, using: &generator)
    }
  }

  /// The push service closed the device's connection because somebody else said hello with its token: a copy of the device
  /// is at work, as after a backup was restored to a second one. Two devices of one name would be kept from hearing of each
  /// other's changes, so this one takes a new name and a new token.
  public mutating func pushTokenTaken(
    at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    handling(at: now, using: &generator) { (self, generator) throws(StoreError) in
      let newID = RandomIdentifier.uuid(using: &generator)
      var draft = self.draft(at: now)
      draft.memory.set(.deviceID, newID)
      draft.memory.set(.pushToken, String?.none)
      try self.commit(draft)
      return [.fact(.twinNoticed(nil, newDeviceID: newID))]
        + self.requestSyncIfNeeded(reason: .subscription, at: now, using: &generator)
    }
  }

  /// The app came to the foreground.
  public mutating func foreground(
    at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    requestSyncIfNeeded(reason: .foreground, at: now, using: &generator)
  }

  /// A push came. It says only that something changed: a fetch is scheduled unless it came before, or is not for us.
  public mutating func receivedPush(
    _ push: PushNotification, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    handling(at: now, using: &generator) { (self, generator) throws(StoreError) in
      try self.take(push, at: now, using: &generator)
    }
  }

  private mutating func take(
    _ push: PushNotification, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    var draft = draft(at: now)
    draft.memory.count(.pushReceived)
    draft.memory.set(.pushLastReceivedAt, now.wall)
    draft.memory.set(.pushLastNotificationID, push.notificationID)
    draft.memory.set(.pushLastSentAt, push.sentAt)
    draft.memory.set(.pushDrought, Int64?.none)
    if let user = push.userRecordName, let account = memory.account, user != UserRecordName.of(user: account) {
      draft.memory.count(.pushOtherAccount)
      try commit(draft)
      return [.fact(.pushForOtherAccount(user))]
    }
    if let known = memory.text(.subscriptionID), let id = push.subscriptionID, id != known {
      draft.memory.count(.pushUnknownSubscription)
      try commit(draft)
      return [.fact(.unknownSubscription(id))]
    }
    if let id = push.notificationID {
      guard try !store.isKnown(notificationID: id) else {
        draft.memory.count(.pushDuplicates)
        try commit(draft)
        return [.fact(.duplicatePush(notificationID: id))]
      }
      draft.notifications.append(SeenNotification(notificationID: id, receivedAt: now.wall))
    } else {
      draft.memory.count(.pushWithoutID)
    }
    try commit(draft)
    lastPush = ReceivedPush(receivedAt: now.wall, sentAt: push.sentAt)
    awaited.announce(push.zoneID.map(own), committedAt: push.committedAt)
    return [.fact(.pushReceived(notificationID: push.notificationID))]
      + requestSyncIfNeeded(reason: .push, at: now, using: &generator)
  }

  /// The answer to a request, or why there is none. An answer to a request that was given up changes nothing.
  public mutating func received(
    _ id: RequestID, _ answer: Result<CloudResponse, CloudError>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    guard case .waiting(let session, let request) = activity, request.id == id else { return [.fact(.lateAnswer(id))] }
    return handling(at: now, using: &generator) { (self, generator) throws(StoreError) in
      switch answer {
      case .success(.failure(let error)), .failure(let error):
        return try self.failed(session, error, at: now, using: &generator)
      case .success(let response):
        return try self.answered(session, response, at: now, using: &generator)
      }
    }
  }

  /// Does what an event asks for; a failing store ends the sync and is told.
  mutating func handling<Generator: RandomNumberGenerator>(
    at now: Moment, using generator: inout Generator,
    _ work: (inout Self, inout Generator) throws(StoreError) -> [Effect]
  ) -> [Effect] {
    do {
      return try work(&self, &generator)
    } catch {
      abandonSync()
      let wait = backoff.next(using: &generator)
      gate.request(.retry, at: now.monotonic.advanced(byMilliseconds: wait))
      return [.fact(.storeFailed(error))]
    }
  }

  /// Starts a sync where one is due.
  mutating func proceed(at now: Moment, using generator: inout some RandomNumberGenerator) -> [Effect] {
    guard canSync, case .idle = activity, let reasons = gate.begin(now: now.monotonic) else { return [] }
    return handling(at: now, using: &generator) { (self, generator) throws(StoreError) in
      try self.beginSync(reasons, at: now, using: &generator)
    }
  }

  /// Forgets the sync that runs; what it was for is still known from the store.
  mutating func abandonSync() {
    activity = .idle
    if gate.isSyncing { gate.finish() }
  }
}
