import ZoneKitRecords

/// Pushes: which ones call for a sync, and whether they arrive at all.
extension Ledger {
  /// What a push is to the device.
  struct PushVerdict {
    /// Whether it calls for a sync.
    var isNew: Bool
    /// What there is to report.
    var fact: DeviceFact
  }

  /// Notes a push. One that came before, or is for somebody else, calls for nothing.
  mutating func received(_ push: PushNotification, at now: Moment) throws(StoreError) -> PushVerdict {
    var draft = draft(at: now)
    draft.memory.count(.pushReceived)
    draft.memory.set(.pushLastReceivedAt, now.wall)
    draft.memory.set(.pushLastNotificationID, push.notificationID)
    draft.memory.set(.pushLastSentAt, push.sentAt)
    draft.memory.set(.pushDrought, Int64?.none)
    if let user = push.userRecordName, let account = memory.account, user != UserRecordName.of(user: account) {
      draft.memory.count(.pushOtherAccount)
      try commit(draft)
      return PushVerdict(isNew: false, fact: .pushForOtherAccount(user))
    }
    if let known = memory.text(.subscriptionID), let id = push.subscriptionID, id != known {
      draft.memory.count(.pushUnknownSubscription)
      try commit(draft)
      return PushVerdict(isNew: false, fact: .unknownSubscription(id))
    }
    if let id = push.notificationID {
      guard try !store.isKnown(notificationID: id) else {
        draft.memory.count(.pushDuplicates)
        try commit(draft)
        return PushVerdict(isNew: false, fact: .duplicatePush(notificationID: id))
      }
      draft.notifications.append(SeenNotification(notificationID: id, receivedAt: now.wall))
    } else {
      draft.memory.count(.pushWithoutID)
    }
    try commit(draft)
    pushes.received(push, about: push.zoneID.map(own), at: now)
    return PushVerdict(isNew: true, fact: .pushReceived(notificationID: push.notificationID))
  }

  /// Whether a sync showed a change that should have come with a push, and no push came: pushes do not arrive.
  func hasDrought(_ session: SyncSession, at now: Moment) -> Bool {
    guard memory.integer(.fetchLastSucceededAt) != nil, let modified = session.newestModification else { return false }
    return pushes.isMissing(
      for: modified.advanced(byMilliseconds: -(memory.integer(.clockOffset) ?? 0)),
      lastReceivedAt: memory.time(.pushLastReceivedAt), grace: configuration.droughtGrace, now: now.wall)
  }

  /// Asks the feeds again for what pushes or the database's feed announced and the zones' feeds did not show yet.
  mutating func lookAgainIfFeedsAreBehind(_ session: SyncSession, listedWithoutChanges: Bool, at now: Moment) {
    pushes.announced.listedWithoutChanges(listedWithoutChanges)
    guard !pushes.announced.isEmpty else { return }
    guard pushes.announced.read(hasNews: session.hasNews, tries: configuration.emptyPushTries) else { return }
    pushes.giveBack(session.push)
    // A sync for something else that comes before the look is no look of its own.
    guard !gate.isWaiting(for: .emptyPush) else { return }
    let wait = pushes.announced.look(first: configuration.emptyPushDelay)
    gate.request(.emptyPush, at: now.monotonic.advanced(byMilliseconds: wait))
  }
}
