import ZoneKitRecords

/// Pushes: which of them require a sync, and whether pushes arrive at all.
extension Ledger {
  /// The meaning of a push for the device.
  struct PushVerdict {
    /// Whether the push requires a sync.
    var isNew: Bool
    /// The fact to report.
    var fact: DeviceFact
  }

  /// Stores that a push was received. A known push, or one for another account or subscription, requires no sync.
  mutating func received(
    _ push: PushNotification, hint: PushHint? = nil, at now: Moment
  ) throws(StoreError) -> PushVerdict {
    var draft = draft(at: now)
    draft.memory.count(.pushReceived)
    draft.memory.set(.pushLastReceivedAt, now.wall)
    draft.memory.set(.pushLastNotificationID, push.notificationID)
    draft.memory.set(.pushLastSentAt, push.sentAt)
    draft.memory.set(.pushDrought, Int64?.none)
    draft.memory.set(.pushLastIgnored, String?.none)
    if let user = push.userRecordName, let account = memory.account, user != UserRecordName.of(user: account) {
      draft.memory.count(.pushOtherAccount)
      draft.memory.set(.pushLastIgnored, IgnoredPush.otherAccount.rawValue)
      try commit(draft)
      return PushVerdict(isNew: false, fact: .pushForOtherAccount(user))
    }
    if let known = memory.text(.subscriptionID), let id = push.subscriptionID, id != known {
      draft.memory.count(.pushUnknownSubscription)
      draft.memory.set(.pushLastIgnored, IgnoredPush.unknownSubscription.rawValue)
      try commit(draft)
      return PushVerdict(isNew: false, fact: .unknownSubscription(id))
    }
    if let id = push.notificationID {
      guard try !store.isKnown(notificationID: id) else {
        draft.memory.count(.pushDuplicates)
        draft.memory.set(.pushLastIgnored, IgnoredPush.duplicate.rawValue)
        try commit(draft)
        return PushVerdict(isNew: false, fact: .duplicatePush(notificationID: id))
      }
      draft.notifications.append(SeenNotification(notificationID: id, receivedAt: now.wall))
    } else {
      draft.memory.count(.pushWithoutID)
    }
    try commit(draft)
    pushes.received(push, about: push.zoneID.map(own), types: hint?.types, at: now)
    return PushVerdict(isNew: true, fact: .pushReceived(notificationID: push.notificationID))
  }

  /// Whether a sync brought a change that should have been announced by a push, and no push was received. Then pushes
  /// do not arrive.
  func hasDrought(_ session: SyncSession, at now: Moment) -> Bool {
    guard memory.integer(.fetchLastSucceededAt) != nil, let modified = session.newestAnnounced else { return false }
    return pushes.isMissing(
      for: modified.advanced(byMilliseconds: -(memory.integer(.clockOffset) ?? 0)),
      lastReceivedAt: memory.time(.pushLastReceivedAt), grace: configuration.pushes.droughtGrace, now: now.wall)
  }

  /// Requests another fetch for changes that pushes or the database's feed announced and that the zones' feeds do not
  /// show yet.
  mutating func lookAgainIfFeedsAreBehind(_ session: SyncSession, listedWithoutChanges: Bool, at now: Moment) {
    pushes.announced.listedWithoutChanges(listedWithoutChanges)
    guard !pushes.announced.isEmpty else { return }
    guard pushes.announced.read(hasNews: session.hasNews, tries: configuration.pushes.emptyPushTries) else { return }
    pushes.giveBack(session.push)
    // A sync for another reason before that time is not a repeated fetch for this purpose.
    guard !gate.isWaiting(for: .emptyPush) else { return }
    let wait = pushes.announced.look(first: configuration.pushes.emptyPushDelay)
    gate.request(.emptyPush, at: now.monotonic.advanced(byMilliseconds: wait))
  }
}
