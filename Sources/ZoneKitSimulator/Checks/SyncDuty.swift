import ZoneKitRecords
import ZoneKitSync

/// What one device owes: a look at the feeds for a push, a date for what is not sent, and patience with those who ask.
struct SyncDuty: Sendable {
  /// Since when a push, a user or a new link waits for the look at the feeds that it has to lead to.
  private var owedSince: MonotonicTime?
  /// Before this nothing has to be asked, because the last sync failed.
  private var pause: MonotonicTime?
  /// Before this nothing may be asked, because the cloud said so.
  private var floor: MonotonicTime?
  /// From when on, and until when, the feeds have to be read for what changed before a new subscription or push token was
  /// active.
  private var settling: (from: MonotonicTime, latest: MonotonicTime)?
  private var lastBegin: MonotonicTime?
  /// Whether the sync under way began without a push token, so that it has to register one.
  private var isWithoutToken = false
  /// Whether the sync under way is for edits alone, and none was refused so far.
  private var isSendingOnly = false
  /// Whether the cloud has said in the sync under way that it is full.
  private var isCloudFull = false
  /// Whether the last sync ended well, so that the device misses no answer.
  private var hasFinished = false
  /// When the subscription could not be checked, and it was not since.
  private var checkFailed: MonotonicTime?
  /// When the push token could not be registered, and none was since.
  private var tokenFailed: MonotonicTime?
  /// The push token that was made last, as long as it was not registered.
  private var newToken: String?
  /// The last request for a push token, or for its registration.
  private var tokenRequest: CloudRequest?
  /// The one that was refused last.
  private var refusedRequest: CloudRequest?
  /// Whether the sync under way is the user's own wish.
  private var isManual = false
  /// How long what failed of the subscription or of the token is left alone, in milliseconds.
  private var patience: Int64 = 0
  /// Whether the process has told its coordinator whose it is; before that nothing can be due.
  private var hasLaunched = false
  /// Whether the cloud refuses the account.
  private var isRefused = false

  /// The longest that anything unsent has to wait: the hour for which a full cloud is left alone, and some.
  private static var longestWait: Int64 { 3_700_000 }

  private static func longAfter(_ now: MonotonicTime) -> MonotonicTime { now.advanced(byMilliseconds: 86_400_000) }

  /// Takes in what the device tells of itself; returns what must not be.
  /// - Parameter hasAsked: Whether the sync under way has asked the database's feed.
  mutating func heard(
    _ fact: DeviceFact, of state: SimulatedDevice, hasAsked: Bool, at now: MonotonicTime
  ) -> (Violation.Rule, String)? {
    let configuration = state.coordinator.configuration
    switch fact {
    case .launched:
      hasLaunched = true
      patience = configuration.subscriptionRetry
      // How long a retry time from before the start still holds is a matter of the device's clock.
      if (try? state.store.values())?[.retryAfter] != nil { floor = Self.longAfter(now) }
    case .pushReceived: isOwed(at: now)
    case .syncStarted(let reasons):
      isWithoutToken = configuration.subscriptionID != nil && state.coordinator.pushToken == nil
      isSendingOnly = reasons == [.localChange] && state.coordinator.databaseToken != nil && hasFinished
      hasFinished = false
      isCloudFull = false
      isManual = reasons.contains(.manual)
      return begins(for: reasons, configuration, at: now)
    case .syncFinished(let reasons, _, _):
      hasFinished = true
      pause = nil
      return finished(for: reasons, hasToken: state.coordinator.pushToken != nil, hasAsked: hasAsked)
    case .subscriptionFailed: checkFailed = now
    case .pushTokenFailed: (tokenFailed, refusedRequest) = (now, tokenRequest)
    case .pushTokenRegistered(let token):
      tokenFailed = nil
      guard token == newToken else { break }
      newToken = nil
      settles(configuration, at: now)
    case .reset(.local, _): (checkFailed, tokenFailed) = (nil, nil)
    // Who takes a new name takes a new token with the next sync.
    case .cloneDetected: isWithoutToken = false
    case .subscriptionChecked(let origin):
      checkFailed = nil
      if origin != .found { settles(configuration, at: now) }
    case .signedOut:
      isRefused = true
      (owedSince, settling, checkFailed, tokenFailed) = (nil, nil, nil, nil)
    case .accountChanged:
      isRefused = false
      (owedSince, settling, pause, checkFailed, tokenFailed) = (nil, nil, nil, nil, nil)
    case .linkChanged(let isOnline): (owedSince, pause) = (isOnline ? now : nil, nil)
    // How long it waits then, nobody is told; nor what it did of the event whose end it could not keep.
    case .storeFailed:
      settling?.latest = now.advanced(byMilliseconds: configuration.subscriptionSettling)
      hasFinished = false
      pause = Self.longAfter(now)
      floor = pause
    default: break
    }
    return nil
  }

  /// Pushes can tell of what changes from now on.
  private mutating func settles(_ configuration: CoordinatorConfiguration, at now: MonotonicTime) {
    let time = now.advanced(byMilliseconds: configuration.subscriptionSettling)
    settling = (time, time)
  }

  private func finished(
    for reasons: SyncReasons, hasToken: Bool, hasAsked: Bool
  ) -> (Violation.Rule, String)? {
    if let failed = [checkFailed, tokenFailed].compactMap({ $0 }).min(), let lastBegin,
      lastBegin >= failed.advanced(byMilliseconds: patience)
    {
      return (.neglect, "a sync ended, and what failed of the subscription was not tried again")
    }
    guard reasons != [.localChange] else { return nil }
    if isWithoutToken, tokenFailed == nil, !hasToken {
      return (.neglect, "a sync ended, and no push token was registered")
    }
    return hasAsked ? nil : (.neglect, "a sync for \(reasons.text) ended, and the database's feed was not asked")
  }

  private mutating func begins(
    for reasons: SyncReasons, _ configuration: CoordinatorConfiguration, at now: MonotonicTime
  ) -> (Violation.Rule, String)? {
    defer { lastBegin = now }
    floor = nil
    isRefused = false
    if reasons != [.localChange] {
      owedSince = nil
      if let settling, settling.from <= now { self.settling = nil }
    }
    guard let lastBegin, reasons.list.allSatisfy({ !$0.skipsDebounce }) else { return nil }
    let gap = now.milliseconds - lastBegin.milliseconds
    guard gap < configuration.quiet else { return nil }
    return (.hurry, "a sync for \(reasons.text) began \(gap) ms after the one before it")
  }

  /// Somebody wants the device to look at the feeds.
  mutating func isOwed(at now: MonotonicTime) { owedSince = owedSince ?? now }

  /// The store failed while somebody waited for it. The sync under way may have been ended for it, and what was refused be
  /// asked for again.
  mutating func storeFailed(at now: MonotonicTime) {
    if owedSince != nil { owedSince = now }
    refusedRequest = nil
  }

  /// A sync failed: the next one need not come before `pause`, and may not before `floor`.
  mutating func hasFailed(pause: MonotonicTime, floor: MonotonicTime?) {
    self.pause = pause
    self.floor = floor
  }

  /// The cloud's answer reaches the device.
  mutating func answered(_ answer: Result<CloudResponse, CloudError>) {
    let refusals = answer.refusals
    if refusals.contains(.quotaExceeded) { isCloudFull = true }
    if !refusals.isEmpty { isSendingOnly = false }
    if case .createPushToken = tokenRequest, case .success(.pushToken(_, let token)) = answer { newToken = token }
  }

  /// A request leaves the device; returns what must not be.
  mutating func sent(_ request: CloudRequest) -> (Violation.Rule, String)? {
    switch request {
    case .createPushToken, .registerPushToken:
      defer { tokenRequest = request }
      guard let tokenFailed, request == refusedRequest else { return nil }
      let retry = tokenFailed.advanced(byMilliseconds: patience)
      if let lastBegin, lastBegin >= retry || isManual && lastBegin > tokenFailed { return nil }
      return (.retry, "the push service refused the same within the hour, and the user did not ask")
    case .fetchDatabaseChanges where isSendingOnly:
      return (
        .fetchWithoutReason, "a sync that has only edits to send asks the database's feed, and nothing was refused"
      )
    case .modifyRecords(let batch)
    where isCloudFull && batch.operations.contains(where: { $0.kind != .delete && $0.kind != .forceDelete }):
      return (.retry, "a cloud that has just said that it is full is asked to keep more")
    default: return nil
    }
  }

  /// An event and all that it led to are over; returns what must not be.
  func settled(_ state: SimulatedDevice, at now: MonotonicTime) -> (Violation.Rule, String)? {
    let coordinator = state.coordinator
    guard hasLaunched, state.isComputing, state.isOnline, !isRefused, coordinator.account != nil, !coordinator.isSyncing
    else {
      return nil
    }
    let due = coordinator.nextDeadline
    if let owedSince {
      let limit = owedSince.advanced(byMilliseconds: coordinator.configuration.quietLimit)
      let latest = max(limit, pause ?? limit, floor ?? limit)
      if due.map({ $0 > latest }) ?? true {
        return (.neglect, "a look at the feeds is wanted, and nothing is due until \(limit.milliseconds) ms to take it")
      }
    }
    if let settling {
      let limit = settling.latest
      let latest = max(limit, pause ?? limit, floor ?? limit)
      if due.map({ $0 > latest }) ?? true {
        return (
          .neglect,
          "a subscription or push token is new, and nothing is due until \(limit.milliseconds) ms to read the feeds"
        )
      }
    }
    let limit = now.advanced(byMilliseconds: Self.longestWait)
    guard due.map({ $0 > limit }) ?? true, let waiting = try? state.store.pending(in: nil, after: 0, limit: 1),
      let first = waiting.first
    else { return nil }
    return (.neglect, "record \(first.recordID.words) is not sent, and nothing is due to send it")
  }
}
