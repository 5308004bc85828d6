import ZoneKitRecords

/// The conversation with CloudKit: push token and subscription, the database's feed, the feeds of the listed zones, and
/// batches of edits. Missing zones are created.
package struct CloudKitConversation: Conversation {
  /// The purpose of the pending request.
  enum Phase: Hashable, Sendable {
    case creatingToken
    case registeringToken(String)
    case checkingSubscription(SubscriptionCheck)
    case fetchingDatabase
    case fetchingZones([ZoneID])
    case creatingZone(ZoneID)
    case sending(SentBatch)
    case lookingUp(ZoneID, [Name])
  }

  /// The progress of one sync.
  struct Progress: Hashable, Sendable {
    /// The purpose of the pending request; nil before the first one.
    var phase: Phase?
    var feeds = FeedProgress()
    var sending = SendProgress()
    /// Whether push token and subscription wait for a later sync, because the cloud failed to prepare them.
    var skipsDuties = false
    /// Whether local changes are sent before the feeds are read, and some may be left.
    var sendsFirst = false
    /// Whether the feeds of all known zones are read, also of those that the database's feed does not list.
    var checksZones = false
  }

  var token = TokenRegistration()
  var subscription = SubscriptionWatch()
  /// The progress of the running sync; initial between syncs.
  var sync = Progress()
  /// The zones that are left out for a while.
  var holds = ZoneHolds()
  /// When the feeds of all known zones were last read; nil if not since the start.
  var zonesCheckedAt: MonotonicTime?

  /// A conversation before its first sync.
  package init() {}

  package mutating func launched(_ configuration: CoordinatorConfiguration) {
    token.renew(isWanted: configuration.wantsPushes)
    subscription.launched(isWanted: configuration.wantsPushes)
  }

  package mutating func accountChanged(_ configuration: CoordinatorConfiguration) {
    token.renew(isWanted: configuration.wantsPushes)
    subscription.accountChanged(isWanted: configuration.wantsPushes)
    holds = ZoneHolds()
    zonesCheckedAt = nil
  }

  package mutating func pushTokenDropped(_ configuration: CoordinatorConfiguration) {
    token.renew(isWanted: configuration.wantsPushes)
  }

  package func readsDatabaseFeed(_ configuration: CoordinatorConfiguration) -> Bool {
    configuration.traits.feeds == .database
  }

  package var usesPushes: Bool { true }

  package var activity: ConversationActivity {
    switch sync.phase {
    case .checkingSubscription: .checkingSubscription
    case .creatingZone, .sending: .sending
    case .creatingToken, .registeringToken, .fetchingDatabase, .fetchingZones, .lookingUp, nil: .fetching
    }
  }

  // MARK: A sync

  package mutating func begin<Store: DeviceStore>(_ session: SyncSession, _ ledger: Ledger<Store>, at now: Moment) {
    let configuration = ledger.configuration
    if !session.reasons.areOfEdits {
      let isManual = session.reasons.contains(.manual)
      subscription.beginSync(
        isManual: isManual, period: configuration.pushes.checkPeriod, retryAfter: configuration.pushes.retry,
        at: now.monotonic)
      token.beginSync(isManual: isManual, at: now.monotonic)
    }
    sync = Progress()
    sync.checksZones = isZoneCheckDue(for: session.reasons, period: configuration.pacing.zonePeriod, at: now)
    sync.sending = SendProgress(batchLimit: configuration.limits.batch)
    holds.syncBegan(isManual: session.reasons.contains(.manual), at: now.monotonic)
    for zoneID in holds.zones(.sending) { sync.sending.hold(zoneID) }
    sync.skipsDuties = session.onlySends
    sync.sendsFirst = configuration.pacing.order == .sendFirst
    guard !session.onlySends else {
      sync.feeds = .closed
      return
    }
    switch configuration.traits.feeds {
    case .database:
      sync.feeds = FeedProgress(
        readsDatabase: session.hasToFetch || ledger.databaseToken == nil,
        demanding: sync.checksZones ? ledger.zones.map(\.zoneID) : [])
    case .zones:
      sync.feeds = FeedProgress(ofZones: session.hasToFetch ? ledger.feedZones.filter(session.scope.contains) : [])
    }
    for zoneID in holds.zones(.reading) { sync.feeds[zoneID].failed() }
  }

  /// Whether a sync reads the feeds of all known zones. A cloud that loses a zone does not report it, so this is due
  /// after a launch, for the user's request, and after each period.
  private func isZoneCheckDue(for reasons: SyncReasons, period: Int64, at now: Moment) -> Bool {
    guard !reasons.areOfEdits else { return false }
    guard let zonesCheckedAt, !reasons.contains(.manual) else { return true }
    return zonesCheckedAt.advanced(byMilliseconds: period) <= now.monotonic
  }

  package mutating func next<Store: DeviceStore>(
    _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep {
    if !sync.skipsDuties, token.isDue(for: ledger.pushToken) { return askForToken(ledger) }
    if !sync.skipsDuties, subscription.isDue, let id = ledger.configuration.pushes.subscriptionID {
      let check = SubscriptionCheck(
        subscriptionID: id, removesExtras: ledger.configuration.pushes.removesExtraSubscriptions)
      return ask(check.request, for: .checkingSubscription(check))
    }
    guard session.pages < Self.pageCeiling else {
      return ConversationStep(
        .giveUp(CloudError(.internalError, "the feeds did not end after \(Self.pageCeiling) pages")))
    }
    if sync.sendsFirst {
      if let step = try sendAll(&session, &ledger, at: now, using: &generator) { return step }
      sync.sendsFirst = false
    }
    if sync.feeds.isDatabaseDue {
      return ask(
        .fetchDatabaseChanges(since: ledger.databaseToken, limit: ZoneChangesQuery.pageLimit), for: .fetchingDatabase)
    }
    let stale = sync.feeds.toAsk(of: ledger.readableZones)
    let count = sync.feeds.asksAlone ? 1 : ledger.configuration.limits.zones
    if !stale.isEmpty { return askForZones(Array(stale.prefix(count)), session, ledger) }
    if let step = try sendAll(&session, &ledger, at: now, using: &generator) { return step }
    if let error = holds.error(isFetch: session.isFetch) { session.setBack(by: error.ofZone, holding: .zones) }
    return ConversationStep(.end)
  }

  /// The most feed pages of one sync: more than any device needs. The next sync continues from the last token.
  static var pageCeiling: Int { 20_000 }

  mutating func ask(_ request: CloudRequest, for phase: Phase) -> ConversationStep {
    sync.phase = phase
    return ConversationStep(.ask(request))
  }

  package mutating func received<Store: DeviceStore>(
    _ response: CloudResponse, _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep {
    let effects: [Effect]
    switch (sync.phase, response) {
    case (.creatingToken, .pushToken(_, let token)): effects = try keepToken(token, &ledger, at: now)
    case (.registeringToken(let token), .pushToken): effects = tokenRegistered(token, &ledger, at: now)
    case (.checkingSubscription(let check), .subscriptions(let results)):
      return try checked(check, results, &session, &ledger, at: now, using: &generator)
    case (.fetchingDatabase, .databaseChanges(let changes)):
      effects = try merge(changes, &session, &ledger, at: now)
    case (.fetchingZones(let asked), .zoneChanges(let results)):
      effects = try merge(results, of: asked, &session, &ledger, at: now, using: &generator)
    case (.creatingZone(let zoneID), .zones(let results)):
      effects = try created(zoneID, results, &session, &ledger, at: now)
    case (.sending(let batch), .records(let results)), (.sending(let batch), .atomicFailure(let results)):
      effects = try sent(batch, results, &session, &ledger, at: now, using: &generator)
    case (.lookingUp(let zoneID, let names), .records(let results)):
      effects = try lookedUp(names, in: zoneID, results, &session, &ledger, at: now, using: &generator)
    default: return ConversationStep(.giveUp(CloudError(.internalError, "the answer does not fit the request")))
    }
    return try next(&session, &ledger, at: now, using: &generator).after(effects)
  }

  package mutating func failed<Store: DeviceStore>(
    _ error: CloudError, _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep {
    guard !error.code.stopsSync || goesOn(after: error) else { return ConversationStep(.giveUp(error)) }
    let effects: [Effect]
    switch sync.phase {
    case .creatingToken where error.code.stopsSync, .registeringToken where error.code.stopsSync,
      .checkingSubscription where error.code.stopsSync:
      sync.skipsDuties = true
      session.setBack(by: error, holding: .fetching)
      effects = []
    case .creatingToken, .registeringToken: effects = try tokenFailed(error, &ledger, at: now)
    case .checkingSubscription(let check):
      if case .verified(let verified)? = check.outcomeSoFar {
        effects = try subscriptionVerified(verified, &ledger, at: now)
      } else {
        effects = try subscriptionFailed(error, &ledger, at: now)
      }
    case .fetchingDatabase: effects = try databaseFailed(error, &session, &ledger, at: now)
    case .fetchingZones(let zones):
      effects = try zonesFailed(zones, error, &session, &ledger, at: now)
    case .sending(let batch):
      effects = try refused(batch, error, &session, &ledger, at: now)
    case .lookingUp(let zoneID, let names) where error.code == .userDeletedZone && ledger.zone(zoneID) != nil:
      effects = try refused(SentBatch(zoneID: zoneID, names: names), error, &session, &ledger, at: now)
    case .lookingUp(let zoneID, let names) where error.code == .zoneNotFound || error.code == .userDeletedZone:
      sync.feeds[zoneID].forgetLookups()
      sync.sending.lookedUp(names, in: zoneID)
      try ledger.forgetDeleted(names, in: zoneID, at: now)
      effects = []
    case .lookingUp(let zoneID, let names) where error.code == .limitExceeded && names.count > 1:
      sync.feeds[zoneID].lookUpFewer(than: names)
      effects = []
    case .creatingZone(let zoneID), .lookingUp(let zoneID, _):
      hold(zoneID, .sending, error, &session, at: now)
      effects = []
    case nil: return ConversationStep(.giveUp(error))
    }
    return try next(&session, &ledger, at: now, using: &generator).after(effects)
  }

  /// Whether the sync goes on although the error of its last request can mean that the cloud serves none. It does if
  /// the request prepared pushes or read a feed and the cloud gave no retry time: local changes are sent while fetching
  /// fails. A lost answer is more likely to be the link's fault, so it ends at least the fetching.
  private func goesOn(after error: CloudError) -> Bool {
    guard error.retryAfterMilliseconds == nil else { return false }
    let isOfCloud = error.code == .internalError || error.code == .serviceUnavailable
    return switch sync.phase {
    case .creatingToken, .registeringToken, .checkingSubscription: isOfCloud
    case .fetchingDatabase, .fetchingZones: isOfCloud || error.code == .serverResponseLost
    case .creatingZone, .sending, .lookingUp, nil: false
    }
  }

  package mutating func ended<Store: DeviceStore>(
    _ session: SyncSession, _ ledger: inout Ledger<Store>, at now: Moment
  ) -> Bool {
    let listedWithoutChanges = sync.feeds.hasSilentZone
    if sync.checksZones { zonesCheckedAt = now.monotonic }
    sync = Progress()
    wakeForRetry(&ledger)
    return listedWithoutChanges
  }

  package mutating func setBack(until time: MonotonicTime) -> MonotonicTime? {
    holds.syncEnded(retryAt: time)
    return holds.firstEnd
  }

  package mutating func abandon() { sync = Progress() }
}

extension CloudErrorCode {
  /// Whether the error ends the whole sync: the cloud cannot be reached, asks for a pause, or refuses the account (sync
  /// semantics, 1.8).
  package var stopsSync: Bool {
    switch self {
    case .networkUnavailable, .networkFailure, .serverResponseLost, .serviceUnavailable, .requestRateLimited,
      .notAuthenticated, .authenticationFailed, .accountTemporarilyUnavailable, .internalError, .badContainer,
      .incompatibleVersion:
      true
    case .permissionFailure, .unknownItem, .invalidArguments, .serverRecordChanged, .serverRejectedRequest,
      .assetNotAvailable, .constraintViolation, .changeTokenExpired, .batchRequestFailed, .quotaExceeded, .zoneNotFound,
      .limitExceeded, .userDeletedZone, .referenceViolation, .zoneBusy:
      false
    }
  }

  /// Whether a request for a feed failed in a way in which requests for other feeds are likely to fail too.
  var endsFetching: Bool { stopsSync && self != .internalError }

  /// Whether a request with a change token can have failed because the cloud cannot use the token: it has expired, or
  /// it is not one of the cloud's.
  var refusesToken: Bool { self == .changeTokenExpired || self == .invalidArguments }
}
